package io.heatshield.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Runs every project of {@code examples/} by its page, with nothing of this build but the artifacts
 * that it publishes. Each must print the lines that its page shows.
 */
@Tag("thorough")
class ExamplesIT {
  private static final Path FOLDER = Tree.ROOT.resolve("examples");
  private static final Path WORK = Tree.ROOT.resolve("docs/target/examples");

  @BeforeAll
  static void publishArtifacts() throws IOException {
    MavenProject.publishInto(WORK.resolve("repository"));
  }

  @TestFactory
  Stream<DynamicTest> everyExample_runByItsPage_printsWhatThePageShows() throws IOException {
    return projects().stream()
        .map(project -> DynamicTest.dynamicTest(name(project), () -> check(project)));
  }

  @Test
  void index_read_namesEveryExample() throws IOException {
    String index = Files.readString(FOLDER.resolve("README.md"));

    assertThat(projects())
        .isNotEmpty()
        .allSatisfy(project -> assertThat(index).contains("(" + name(project) + "/README.md)"));
  }

  private static void check(Path project) throws IOException, InterruptedException {
    List<Snippet> blocks = Snippet.in(project.resolve("README.md"));
    List<Snippet> commands = blocks.stream().filter(b -> b.language().equals("sh")).toList();
    List<Snippet> output = blocks.stream().filter(b -> b.language().equals("text")).toList();
    assertThat(commands).as("one command").hasSize(1);
    assertThat(output).as("one block of output").hasSize(1);

    String printed =
        new MavenProject(project, WORK.resolve(name(project)), WORK.resolve("repository"))
            .run(commands.get(0).text().strip());

    // Maven prints control sequences of the terminal even in batch mode.
    String plain = printed.replaceAll("\\u001b\\[[0-9;]*m", "");
    assertThat(plain.lines().map(String::strip).toList())
        .containsSubsequence(output.get(0).text().lines().map(String::strip).toList());
  }

  private static List<Path> projects() throws IOException {
    try (Stream<Path> folders = Files.list(FOLDER)) {
      return folders.filter(f -> Files.exists(f.resolve("pom.xml"))).sorted().toList();
    }
  }

  private static String name(Path project) {
    return project.getFileName().toString();
  }
}
