package io.heatshield.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The public signatures of every published artifact against the lists in docs/api. A wanted change
 * is accepted by writing the lists again, with {@code -Dapi.write=true}.
 */
class ApiTest {
  private static final Path LISTS = Tree.ROOT.resolve("docs/api");

  private static final String ACCEPT =
      "if the change is wanted: mvn -B -ntp -P quick test -pl docs -am -Dtest=ApiTest"
          + " -Dapi.write=true";

  @Test
  void signatures_ofEveryArtifact_areThoseOfItsList() throws Exception {
    var differences = new ArrayList<String>();

    for (Artifact artifact : Artifact.all()) {
      List<String> lines = lines(artifact);
      Path list = LISTS.resolve("heatshield-" + artifact.folder() + ".txt");
      if (Boolean.getBoolean("api.write")) {
        Files.createDirectories(LISTS);
        Files.write(list, lines);
      }
      List<String> accepted = Files.exists(list) ? Files.readAllLines(list) : List.of();
      differences.addAll(difference(accepted, lines));
    }

    assertThat(differences).as(ACCEPT).isEmpty();
  }

  @Test
  void lists_ofEveryArtifact_areThere() throws IOException {
    List<String> expected =
        Artifact.all().stream().map(a -> "heatshield-" + a.folder() + ".txt").toList();

    try (Stream<Path> lists = Files.list(LISTS)) {
      assertThat(lists.map(list -> list.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  private static List<String> lines(Artifact artifact) throws Exception {
    var lines = new ArrayList<String>();
    for (Class<?> type : artifact.types()) {
      lines.addAll(Signatures.of(type));
    }
    return lines;
  }

  /** Returns the lines of one list only, each with its type. */
  private static List<String> difference(List<String> accepted, List<String> found) {
    List<String> before = qualified(accepted);
    List<String> now = qualified(found);
    var lines = new ArrayList<String>();
    before.stream().filter(line -> !now.contains(line)).forEach(line -> lines.add("- " + line));
    now.stream().filter(line -> !before.contains(line)).forEach(line -> lines.add("+ " + line));
    return lines;
  }

  private static List<String> qualified(List<String> lines) {
    var qualified = new ArrayList<String>();
    String type = "";
    for (String line : lines) {
      boolean isMember = line.startsWith("  ");
      type = isMember ? type : line;
      qualified.add(isMember ? type + " {" + line + " }" : line);
    }
    return qualified;
  }
}
