package io.heatshield.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The table of modules in docs/architecture.md with their allowed dependencies. */
final class Modules {
  private static final Pattern ROW =
      Pattern.compile("^\\| `([\\w-]+)` \\| [^|]+ \\| ([^|]*)\\|$", Pattern.MULTILINE);

  private Modules() {}

  /** Returns the text of the page. */
  static String page() throws IOException {
    return Files.readString(Tree.ROOT.resolve("docs/architecture.md"));
  }

  /** Returns the modules by name, each with the modules that its main code may use. */
  static Map<String, Set<String>> uses() throws IOException {
    return ROW.matcher(page())
        .results()
        .collect(
            Collectors.toMap(
                row -> row.group(1),
                Modules::used,
                (first, second) -> {
                  throw new IllegalStateException("a module must be listed once");
                },
                LinkedHashMap::new));
  }

  private static Set<String> used(MatchResult row) {
    return Arrays.stream(row.group(2).split(",", -1))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toSet());
  }
}
