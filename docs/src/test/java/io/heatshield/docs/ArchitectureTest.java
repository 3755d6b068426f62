package io.heatshield.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks the modules and class names in docs/architecture.md against the code. */
class ArchitectureTest {
  /** A class name in the page: {@code module/ClassName}. */
  private static final Pattern NAMED = Pattern.compile("`([a-z-]+)/([A-Z]\\w+)`");

  private static final Pattern WALK = Pattern.compile("### .* \\(at most (\\d+) files\\)");

  @Test
  void everyNamedClass_isInItsModule() throws IOException {
    Set<String> named = names(Modules.page());

    List<String> gone = named.stream().filter(name -> !isThere(name)).toList();

    assertThat(named).isNotEmpty();
    assertThat(gone).isEmpty();
  }

  @Test
  void everyWalk_isAsShortAsItsHeadingSays() throws IOException {
    Map<String, Set<String>> walks = walks();

    Stream<String> tooLong =
        walks.entrySet().stream()
            .filter(walk -> walk.getValue().size() > most(walk.getKey()))
            .map(walk -> walk.getKey() + " has " + walk.getValue().size());

    assertThat(walks).hasSize(5).allSatisfy((heading, files) -> assertThat(files).isNotEmpty());
    assertThat(tooLong).isEmpty();
  }

  @Test
  void moduleTable_namesEveryModuleOfTheBuild() throws IOException {
    Set<String> built = new TreeSet<>();
    try (Stream<Path> folders = Files.list(Tree.ROOT)) {
      folders
          .filter(folder -> Files.exists(folder.resolve("pom.xml")))
          .forEach(folder -> built.add(Tree.ROOT.relativize(folder).toString()));
    }

    Set<String> listed = new TreeSet<>(Modules.uses().keySet());

    assertThat(listed).isEqualTo(built);
  }

  @Test
  void everyDecisionRecord_isInTheIndex() throws IOException {
    Path folder = Tree.ROOT.resolve("docs/adr");
    String index = Files.readString(folder.resolve("README.md"));
    var missing = new ArrayList<String>();

    try (Stream<Path> records = Files.list(folder)) {
      records
          .map(path -> path.getFileName().toString())
          .filter(name -> !name.equals("README.md") && !index.contains("](" + name + ")"))
          .forEach(missing::add);
    }

    assertThat(missing).isEmpty();
  }

  private static Set<String> names(String text) {
    return NAMED
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .map(name -> name.replace("`", ""))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static boolean isThere(String name) {
    String[] parts = name.split("/", -1);
    Path sources = Tree.ROOT.resolve(parts[0]).resolve("src");
    try (Stream<Path> files = Files.walk(sources)) {
      return files.anyMatch(file -> file.endsWith(parts[1] + ".java"));
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the classes of each walk by its heading. */
  private static Map<String, Set<String>> walks() throws IOException {
    var walks = new LinkedHashMap<String, Set<String>>();
    String heading = null;
    for (String line : Modules.page().split("\n", -1)) {
      if (line.startsWith("#")) {
        heading = WALK.matcher(line).matches() ? line : null;
      }
      if (heading != null) {
        walks.computeIfAbsent(heading, h -> new LinkedHashSet<>()).addAll(names(line));
      }
    }
    return walks;
  }

  private static int most(String heading) {
    return WALK.matcher(heading)
        .results()
        .mapToInt(match -> Integer.parseInt(match.group(1)))
        .findFirst()
        .orElseThrow();
  }
}
