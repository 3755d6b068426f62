package io.heatshield.limit.yaml;

import io.heatshield.limit.rule.Rule;
import io.heatshield.limit.rule.RuleSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects the rules of all files by domain, and their faults. */
final class RuleLoad {
  private final boolean mergeDomains;
  private final RuleFaults faults = new RuleFaults();
  private final Map<String, List<Rule>> rules = new LinkedHashMap<>();
  private final Map<String, Set<String>> patterns = new HashMap<>();

  RuleLoad(boolean mergeDomains) {
    this.mergeDomains = mergeDomains;
  }

  RuleFaults faults() {
    return faults;
  }

  /** Reads the text of the current file. */
  void add(byte[] bytes) {
    int before = faults.count();
    String text = RuleText.decode(bytes, faults);
    Yaml root = text == null ? null : YamlText.read(text, faults);
    if (root instanceof Yaml.Mapping mapping) {
      add(mapping);
    } else if (root != null && !(root instanceof Yaml.Scalar scalar && scalar.isNull())) {
      faults.add(root.line(), "error loading config file: must be a map of keys and values");
    } else if (faults.count() == before) {
      faults.add(0, "config file cannot have empty domain");
    }
  }

  LoadResult result() {
    return faults.count() == 0
        ? new LoadResult.Valid(RuleSet.of(rules))
        : new LoadResult.Invalid(faults.sorted());
  }

  private void add(Yaml.Mapping root) {
    new YamlKeys(faults).check(root);
    String domain = new Fields(root, faults).text("domain");
    if (domain.isEmpty()) {
      faults.add(root.line("domain"), "config file cannot have empty domain");
    } else if (rules.containsKey(domain) && !mergeDomains) {
      faults.add(
          root.line("domain"),
          "duplicate domain '" + RuleFaults.shown(domain) + "' in config file");
    }
    boolean merged = mergeDomains && !domain.isEmpty();
    Set<String> known =
        merged ? patterns.computeIfAbsent(domain, name -> new HashSet<>()) : new HashSet<>();
    List<Rule> read = new RuleReader(faults).rules(root, domain, known);
    rules.computeIfAbsent(domain, name -> new ArrayList<>()).addAll(read);
  }
}
