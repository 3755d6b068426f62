package io.heatshield.limit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All rules of a configuration, compiled into one tree for each domain; immutable. */
public final class RuleSet {
  private static final RuleSet EMPTY = of(Map.of());

  private final Map<String, DomainRules> domains;
  private final List<AppliedRule> rules;

  private RuleSet(Map<String, DomainRules> domains, List<AppliedRule> rules) {
    this.domains = Map.copyOf(domains);
    this.rules = List.copyOf(rules);
  }

  /** Returns the rules of nothing: no domain is known, and no limit applies. */
  public static RuleSet empty() {
    return EMPTY;
  }

  /**
   * Compiles rules by domain; the order of a list is that in which wildcards are tried.
   *
   * @throws IllegalArgumentException if two rules of a level match the same
   */
  public static RuleSet of(Map<String, List<Rule>> rulesByDomain) {
    var compiler = new Compiler();
    var domains = new HashMap<String, DomainRules>();
    new TreeMap<>(rulesByDomain)
        .forEach(
            (domain, rules) ->
                domains.put(domain, new DomainRules(domain, compiler.top(domain, rules))));
    return new RuleSet(domains, compiler.rules);
  }

  /** Returns the names of all domains. */
  public Set<String> domains() {
    return domains.keySet();
  }

  /** Returns the number of rules that set something. */
  public int size() {
    return rules.size();
  }

  /**
   * Returns one line for each rule that sets something, by domain and in the order of the files.
   */
  public String dump() {
    var text = new StringBuilder();
    rules.forEach(rule -> text.append(rule.line()).append('\n'));
    return text.toString();
  }

  /** Returns the limit that applies to a path of entries, or null; allocates nothing. */
  public @Nullable Limit limit(String domain, List<Entry> entries) {
    DomainRules known = domains.get(domain);
    AppliedRule rule = known == null ? null : known.find(entries);
    return rule == null ? null : rule.limit;
  }

  @Nullable DomainRules domain(String name) {
    return domains.get(name);
  }

  /** Returns all rules that set something, each at its index. */
  List<AppliedRule> rules() {
    return rules;
  }

  /** Turns rules into levels, from the bottom up, and numbers them from the top down. */
  private static final class Compiler {
    private final List<AppliedRule> rules = new ArrayList<>();
    private final List<RuleSpot> path = new ArrayList<>();

    RuleLevel top(String domain, List<Rule> written) {
      return level(domain, written);
    }

    private RuleLevel level(String parent, List<Rule> written) {
      var nodes = new ArrayList<RuleLevel.Node>(written.size());
      for (Rule rule : written) {
        String name = parent + "." + rule.pattern();
        path.add(new RuleSpot(rule.pattern(), rule.flags()));
        AppliedRule applied = applied(rule, name);
        RuleLevel below = rule.descriptors().isEmpty() ? null : level(name, rule.descriptors());
        path.remove(path.size() - 1);
        nodes.add(new RuleLevel.Node(rule, name, applied, below));
      }
      return RuleLevel.of(nodes);
    }

    private @Nullable AppliedRule applied(Rule rule, String name) {
      RuleLimit set = rule.rateLimit();
      if (set == null) {
        return null;
      }
      boolean named = path.stream().anyMatch(spot -> spot.has(Rule.Flag.VALUE_TO_METRIC));
      boolean shares = path.stream().anyMatch(spot -> spot.has(Rule.Flag.SHARE_THRESHOLD));
      @Nullable String @Nullable [] shared =
          shares
              ? path.stream()
                  .map(spot -> spot.has(Rule.Flag.SHARE_THRESHOLD) ? spot.pattern() : null)
                  .toArray(String[]::new)
              : null;
      var applied = new AppliedRule(rules.size(), name, rule, set, named, shared);
      rules.add(applied);
      return applied;
    }
  }

  /** What a rule on the way down says to those below it. */
  private record RuleSpot(String pattern, Set<Rule.Flag> flags) {
    boolean has(Rule.Flag flag) {
      return flags.contains(flag);
    }
  }
}
