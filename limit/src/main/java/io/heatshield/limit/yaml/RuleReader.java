package io.heatshield.limit.yaml;

import io.heatshield.limit.Algorithm;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.rule.Rule;
import io.heatshield.limit.rule.RuleLimit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts the descriptors of one file to rules.
 *
 * <p>The messages are those of the Envoy rate-limit service. A descriptor with a fault yields no
 * rule, and reading continues, so that all faults are found.
 */
final class RuleReader {
  private final RuleFaults faults;

  RuleReader(RuleFaults faults) {
    this.faults = faults;
  }

  /**
   * Returns the rules of one level.
   *
   * @param parent the prefix of the level's composite keys
   * @param known the level's patterns in other files; those read are added
   */
  List<Rule> rules(Yaml.Mapping owner, String parent, Set<String> known) {
    var rules = new ArrayList<Rule>();
    for (Yaml.Mapping descriptor : fields(owner).list("descriptors")) {
      Rule rule = rule(descriptor, parent, known);
      if (rule != null) {
        rules.add(rule);
      }
    }
    return rules;
  }

  private @Nullable Rule rule(Yaml.Mapping descriptor, String parent, Set<String> known) {
    Fields fields = fields(descriptor);
    String key = fields.text("key");
    String value = fields.text("value");
    String pattern = value.isEmpty() ? key : key + "_" + value;
    String name = parent + "." + pattern;
    boolean unique = !key.isEmpty() && known.add(pattern);
    if (key.isEmpty()) {
      faults.add(descriptor.line("key"), "descriptor has empty key");
    } else if (!unique) {
      faults.add(
          descriptor.line("key"),
          "duplicate descriptor composite key '" + RuleFaults.shown(name) + "'");
    }
    EnumSet<Rule.Flag> flags = EnumSet.noneOf(Rule.Flag.class);
    for (Rule.Flag flag : Rule.Flag.values()) {
      if (fields.flag(flag.name().toLowerCase(Locale.ROOT))) {
        flags.add(flag);
      }
    }
    if (flags.contains(Rule.Flag.SHARE_THRESHOLD) && pattern.indexOf('*') < 0) {
      faults.add(
          descriptor.line("share_threshold"),
          "share_threshold can only be used with wildcard values (containing '*'), but found key '"
              + RuleFaults.shown(pattern)
              + "'");
    }
    Yaml.Mapping section = fields.section("rate_limit");
    RuleLimit limit = section == null ? null : limit(section, descriptor);
    List<Rule> below = rules(descriptor, name, new HashSet<>());
    return unique ? new Rule(key, value, limit, flags, fields.values("metadata"), below) : null;
  }

  private RuleLimit limit(Yaml.Mapping section, Yaml.Mapping descriptor) {
    Fields fields = fields(section);
    String name = fields.text("name");
    boolean unlimited = fields.flag("unlimited");
    long requests = fields.number("requests_per_unit");
    String unitName = fields.text("unit");
    Optional<LimitUnit> unit = LimitUnit.parse(unitName);
    if (unlimited && unit.isPresent()) {
      faults.add(section.line("unit"), "should not specify rate limit unit when unlimited");
    } else if (!unlimited && unit.isEmpty()) {
      faults.add(
          section.line("unit"), "invalid rate limit unit '" + RuleFaults.shown(unitName) + "'");
    }
    Algorithm algorithm = algorithm(section.get("algorithm") == null ? descriptor : section);
    Limit limit =
        unlimited || unit.isEmpty() ? null : limit(section, requests, unit.get(), algorithm);
    return new RuleLimit(limit, name, replaces(section, name));
  }

  private @Nullable Limit limit(
      Yaml.Mapping section, long requests, LimitUnit unit, Algorithm algorithm) {
    long most = Limit.most(unit, algorithm);
    if (requests > most) {
      faults.add(
          section.line("requests_per_unit"),
          "requests_per_unit must be at most " + most + " where the algorithm is gcra");
      return null;
    }
    return new Limit(requests, unit, algorithm);
  }

  private Algorithm algorithm(Yaml.Mapping owner) {
    String name = fields(owner).text("algorithm");
    if (name.isEmpty()) {
      return Algorithm.FIXED_WINDOW;
    }
    Optional<Algorithm> algorithm = Algorithm.parse(name);
    if (algorithm.isEmpty()) {
      faults.add(
          owner.line("algorithm"),
          "invalid algorithm '"
              + RuleFaults.shown(name)
              + "'; it must be fixed_window, sliding_window or gcra");
    }
    return algorithm.orElse(Algorithm.FIXED_WINDOW);
  }

  private List<String> replaces(Yaml.Mapping section, String own) {
    var names = new ArrayList<String>();
    for (Yaml.Mapping item : fields(section).list("replaces")) {
      String name = fields(item).text("name");
      if (name.isEmpty()) {
        faults.add(item.line(), "should not have an empty replaces entry");
      } else if (name.equals(own)) {
        faults.add(item.line("name"), "replaces should not contain name of same descriptor");
      }
      names.add(name);
    }
    return names;
  }

  private Fields fields(Yaml.Mapping mapping) {
    return new Fields(mapping, faults);
  }
}
