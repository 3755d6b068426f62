package io.heatshield.limit.rule;

import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.Limit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All rules of a configuration, compiled to one tree for each domain. Immutable. */
public final class RuleSet {
  private static final RuleSet EMPTY = of(Map.of());

  private final HashMap<String, DomainRules> domains;
  private final List<AppliedRule> rules;

  private RuleSet(Map<String, DomainRules> domains, List<AppliedRule> rules) {
    this.domains = new HashMap<>(domains);
    this.rules = List.copyOf(rules);
  }

  /** Returns a set without rules. */
  public static RuleSet empty() {
    return EMPTY;
  }

  /**
   * Compiles rules by domain; wildcards are tried in the order of the list.
   *
   * @throws IllegalArgumentException if two rules of a level have the same pattern
   */
  public static RuleSet of(Map<String, List<Rule>> rulesByDomain) {
    var all = new ArrayList<AppliedRule>();
    var domains = new HashMap<String, DomainRules>();
    new TreeMap<>(rulesByDomain)
        .forEach(
            (domain, rules) ->
                domains.put(
                    domain, new DomainRules(domain, new Compiler(all).level(domain, rules))));
    return new RuleSet(domains, all);
  }

  /** Returns the names of all domains. */
  public Set<String> domains() {
    return Collections.unmodifiableSet(domains.keySet());
  }

  /** Returns the number of rules with a limit. */
  public int size() {
    return rules.size();
  }

  /** Returns one line for each rule with a limit, by domain and in the order of the files. */
  public String dump() {
    var text = new StringBuilder();
    rules.forEach(rule -> text.append(rule.line()).append('\n'));
    return text.toString();
  }

  /** Returns whether a rule with a limit matches a path of entries. */
  public boolean hasRule(String domain, List<DescriptorEntry> entries) {
    DomainRules known = domains.get(domain);
    return known != null && known.find(entries) != null;
  }

  /** Returns the limit that applies to a path of entries, or null. */
  public @Nullable Limit limit(String domain, List<DescriptorEntry> entries) {
    DomainRules known = domains.get(domain);
    AppliedRule rule = known == null ? null : known.find(entries);
    return rule == null ? null : rule.limit();
  }

  /** Returns the rules of a domain, or null if it has none. */
  @Nullable DomainRules domain(String name) {
    return domains.get(name);
  }

  /** Returns all rules with a limit, each at its index. */
  List<AppliedRule> rules() {
    return rules;
  }

  /** Compiles the rules of a domain to levels, and numbers them from the top down. */
  private static final class Compiler {
    private final List<AppliedRule> rules;
    private final List<Rule> path = new ArrayList<>();

    Compiler(List<AppliedRule> rules) {
      this.rules = rules;
    }

    DomainRules.Level level(String parent, List<Rule> written) {
      var nodes = new ArrayList<DomainRules.Node>(written.size());
      for (Rule rule : written) {
        String name = parent + "." + rule.pattern();
        path.add(rule);
        AppliedRule applied = applied(rule, name);
        DomainRules.Level below =
            rule.descriptors().isEmpty() ? null : level(name, rule.descriptors());
        path.remove(path.size() - 1);
        nodes.add(new DomainRules.Node(rule, name, applied, below));
      }
      return DomainRules.Level.of(nodes);
    }

    private @Nullable AppliedRule applied(Rule rule, String name) {
      RuleLimit set = rule.rateLimit();
      if (set == null) {
        return null;
      }
      boolean named = path.stream().anyMatch(on -> on.flags().contains(Rule.Flag.VALUE_TO_METRIC));
      List<String> patterns =
          path.stream().anyMatch(Compiler::shares)
              ? path.stream().map(on -> shares(on) ? on.pattern() : "").toList()
              : List.of();
      var applied = new AppliedRule(rules.size(), name, rule, set, named, patterns);
      rules.add(applied);
      return applied;
    }

    private static boolean shares(Rule rule) {
      return rule.flags().contains(Rule.Flag.SHARE_THRESHOLD);
    }
  }
}
