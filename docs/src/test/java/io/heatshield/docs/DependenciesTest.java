package io.heatshield.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks docs/dependencies.md against the parent POM, and the date of the last check. */
class DependenciesTest {
  private static final int MOST_DAYS = 60;
  private static final Pattern CHECKED = Pattern.compile("checked on (\\d{4}-\\d{2}-\\d{2})");
  private static final Pattern PINNED = Pattern.compile("<([a-z0-9-]+)\\.version>([^<]+)</");

  @Test
  void page_comparedWithTheParentPom_namesTheSameVersions() throws IOException {
    var pinned = new TreeMap<String, String>();
    Matcher property = PINNED.matcher(Files.readString(Tree.ROOT.resolve("pom.xml")));
    while (property.find()) {
      pinned.put(property.group(1), property.group(2));
    }

    Map<String, String> written = new TreeMap<>();
    rows().forEach(row -> written.put(row.get(0), row.get(1)));

    assertThat(written).hasSizeGreaterThan(30).containsExactlyEntriesOf(pinned);
  }

  @Test
  void page_everyRow_saysPurposeLicenceAndWeight() throws IOException {
    assertThat(rows())
        .allSatisfy(
            row -> {
              assertThat(row).hasSize(6).noneMatch(String::isEmpty);
              assertThat(row.get(5)).matches("[0-9,]+");
            });
    assertThat(rows()).extracting(row -> row.get(0)).doesNotHaveDuplicates();
  }

  @Test
  void page_comparedWithTheLastCommit_wasCheckedWithinSixtyDays() throws Exception {
    assumeTrue(Files.exists(Tree.ROOT.resolve(".git")), "the tree has no history");
    Matcher date = CHECKED.matcher(Files.readString(Tree.ROOT.resolve("docs/dependencies.md")));
    assertThat(date.find()).isTrue();

    LocalDate checked = LocalDate.parse(date.group(1));

    assertThat(checked)
        .as("newer versions were looked for, see docs/dependencies.md")
        .isAfterOrEqualTo(lastCommit().minusDays(MOST_DAYS));
  }

  private static LocalDate lastCommit() throws IOException, InterruptedException {
    Process git =
        new ProcessBuilder("git", "log", "-1", "--format=%cs")
            .directory(Tree.ROOT.toFile())
            .redirectErrorStream(true)
            .start();
    String date = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(git.waitFor()).as(date).isZero();
    return LocalDate.parse(date);
  }

  private static List<List<String>> rows() throws IOException {
    return Files.readAllLines(Tree.ROOT.resolve("docs/dependencies.md")).stream()
        .filter(line -> line.startsWith("| ") && !line.startsWith("| name "))
        .map(line -> line.substring(1, line.lastIndexOf('|')))
        .map(line -> Arrays.stream(line.split("\\|", -1)).map(String::strip).toList())
        .toList();
  }
}
