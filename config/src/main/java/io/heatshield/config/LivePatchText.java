package io.heatshield.config;

import io.heatshield.config.yaml.Fault;
import io.heatshield.config.yaml.Faults;
import io.heatshield.config.yaml.Node;
import io.heatshield.config.yaml.Origin;
import io.heatshield.config.yaml.YamlReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The text of a change of live settings: a JSON object whose names are paths, flat as in {@code
 * {"detect.window": "30s"}} or nested as in the file.
 *
 * @param values the values by path, as the file would hold them
 * @param faults the faults of the text, or empty
 */
public record LivePatchText(Map<String, String> values, List<Fault> faults) {

  /** Parses a text; the result of any bytes is values or faults. */
  public static LivePatchText read(byte[] text) {
    var faults = new Faults();
    var values = new LinkedHashMap<String, String>();
    Node node = YamlReader.read(new String(text, StandardCharsets.UTF_8), Origin.LIVE, faults);
    if (node instanceof Node.Mapping mapping && !mapping.entries().isEmpty()) {
      flatten("", mapping, values, faults);
    } else if (faults.isEmpty()) {
      faults.add(Origin.LIVE, "", "must be an object of paths and values", null);
    }
    return new LivePatchText(Map.copyOf(values), faults.sorted());
  }

  private static void flatten(
      String path, Node.Mapping mapping, Map<String, String> values, Faults faults) {
    mapping
        .entries()
        .forEach(
            (key, entry) -> {
              String at = path.isEmpty() ? key : path + "." + key;
              if (entry.value() instanceof Node.Mapping inner && !inner.entries().isEmpty()) {
                flatten(at, inner, values, faults);
              } else if (entry.value() instanceof Node.Scalar scalar) {
                values.put(at, scalar.text());
              } else {
                faults.add(Origin.LIVE, Faults.shownKey(at), "must be a single value", null);
              }
            });
  }
}
