package io.heatshield.limit.yaml;

import io.heatshield.limit.rule.Rule;
import io.heatshield.limit.rule.RuleSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One reading of all files: their rules by domain, and what is wrong with any of them. */
final class RuleLoad {
  private final boolean mergeDomains;
  private final RuleFaults faults = new RuleFaults();
  private final List<String> files = new ArrayList<>();
  private final Map<String, List<Rule>> rules = new LinkedHashMap<>();
  private final Map<String, Set<String>> patterns = new LinkedHashMap<>();

  RuleLoad(boolean mergeDomains) {
    this.mergeDomains = mergeDomains;
  }

  RuleFaults faults() {
    return faults;
  }

  /**
   * Reads one more text; null stands for one that could not be had, for which a fault was added.
   */
  void add(String file, byte @Nullable [] bytes) {
    files.add(file);
    String text = bytes == null ? null : RuleText.decode(bytes, file, faults);
    if (text == null) {
      return;
    }
    var broken = new RuleFaults();
    Yaml root = YamlText.read(text, file, broken);
    faults.addAll(broken);
    if (root == null && !broken.isEmpty()) {
      return;
    }
    if (root instanceof Yaml.Mapping mapping) {
      add(file, mapping);
    } else if (root == null || (root instanceof Yaml.Scalar scalar && scalar.isNull())) {
      faults.add(file, 0, "config file cannot have empty domain");
    } else {
      faults.add(file, root.line(), "error loading config file: must be a map of keys and values");
    }
  }

  LoadResult result() {
    return faults.isEmpty()
        ? new LoadResult.Valid(RuleSet.of(rules))
        : new LoadResult.Invalid(faults.sorted(files));
  }

  private void add(String file, Yaml.Mapping root) {
    new YamlKeys(file, faults).check(root);
    String domain = new Fields(root, file, faults).text("domain");
    if (domain.isEmpty()) {
      faults.add(file, root.line("domain"), "config file cannot have empty domain");
    } else if (rules.containsKey(domain) && !mergeDomains) {
      faults.add(
          file,
          root.line("domain"),
          "duplicate domain '" + RuleFaults.shown(domain) + "' in config file");
    }
    boolean merged = mergeDomains && !domain.isEmpty();
    Set<String> known =
        merged ? patterns.computeIfAbsent(domain, name -> new HashSet<>()) : new HashSet<>();
    List<Rule> read = new RuleReader(file, faults).rules(root, domain, known);
    rules.computeIfAbsent(domain, name -> new ArrayList<>()).addAll(read);
  }
}
