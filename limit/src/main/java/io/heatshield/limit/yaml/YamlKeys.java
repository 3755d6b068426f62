package io.heatshield.limit.yaml;

import java.util.Set;

/**
 * Checks the keys and the types of values of a file as the Envoy rate-limit service does first: a
 * key that is known anywhere is allowed everywhere.
 */
final class YamlKeys {
  private static final String METADATA = "metadata";
  private static final Set<String> KNOWN =
      Set.of(
          "domain",
          "key",
          "value",
          "descriptors",
          "rate_limit",
          "unit",
          "requests_per_unit",
          "unlimited",
          "shadow_mode",
          "quota_mode",
          "name",
          "replaces",
          "detailed_metric",
          "value_to_metric",
          "share_threshold",
          "algorithm",
          METADATA);

  private final RuleFaults faults;

  YamlKeys(RuleFaults faults) {
    this.faults = faults;
  }

  void check(Yaml.Mapping mapping) {
    mapping
        .entries()
        .forEach(
            (key, entry) -> {
              if (!entry.key().isText()) {
                fault(entry.keyLine(), "key is not of type string: " + RuleFaults.shown(key));
              } else if (!KNOWN.contains(key)) {
                fault(entry.keyLine(), "unknown key '" + RuleFaults.shown(key) + "'");
              } else if (!key.equals(METADATA)) {
                checkValue(entry.value());
              }
            });
  }

  private void checkValue(Yaml value) {
    if (value instanceof Yaml.Mapping mapping) {
      check(mapping);
    } else if (value instanceof Yaml.Sequence sequence) {
      for (Yaml item : sequence.items()) {
        if (item instanceof Yaml.Mapping mapping) {
          check(mapping);
        } else {
          String shown = item instanceof Yaml.Scalar scalar ? scalar.text() : "[...]";
          fault(
              item.line(),
              "yaml file contains list of type other than map: " + RuleFaults.shown(shown));
        }
      }
    } else if (value instanceof Yaml.Scalar scalar && scalar.isFraction()) {
      faults.add(scalar.line(), "error checking config: " + RuleFaults.shown(scalar.text()));
    }
  }

  private void fault(int line, String sentence) {
    faults.add(line, "config error, " + sentence);
  }
}
