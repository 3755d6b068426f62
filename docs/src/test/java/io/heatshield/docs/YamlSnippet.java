package io.heatshield.docs;

import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.config.yaml.Fault;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** Checks that a configuration in a document is valid. */
final class YamlSnippet {
  private YamlSnippet() {}

  static void check(Snippet snippet) {
    if (!snippet.marks().isEmpty()) {
      throw snippet.fault("has an unknown mark: " + snippet.marks());
    }
    LoadResult result =
        new ConfigLoader(Map.of()).load("snippet", snippet.text().getBytes(StandardCharsets.UTF_8));
    if (result instanceof LoadResult.Invalid invalid) {
      throw snippet.fault(
          invalid.faults().stream().map(Fault::toString).collect(Collectors.joining("\n")));
    }
  }
}
