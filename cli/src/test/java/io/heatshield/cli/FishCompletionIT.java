package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The completion script in a real fish; skipped where there is none. */
class FishCompletionIT {
  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @BeforeEach
  void look() throws Exception {
    assumeTrue(hasFish(), "there is no fish on this machine");
  }

  @Test
  void complete_partOfACommand_offersItWithItsDescription() throws Exception {
    assertThat(complete("heatshield se"))
        .containsExactly("serve\tRuns the server until SIGTERM or Ctrl-C");
    assertThat(complete("heatshield "))
        .anyMatch(line -> line.startsWith("demo\t"))
        .anyMatch(line -> line.startsWith("completion\t"))
        .noneMatch(line -> line.contains("afile"));
  }

  @Test
  void complete_options_areThoseOfTheCommand() throws Exception {
    assertThat(complete("heatshield top --"))
        .anyMatch(line -> line.startsWith("--sort\t"))
        .anyMatch(line -> line.startsWith("--url\t"))
        .noneMatch(line -> line.startsWith("--shield") || line.contains("${"));
    assertThat(complete("heatshield limit -dom")).anyMatch(line -> line.startsWith("-domain"));
  }

  @Test
  void complete_values_areWordsOrFilesWhereTheyFit() throws Exception {
    assertThat(words("heatshield top --sort ")).contains("RATE", "SHARE", "SCOPE", "KEY");
    assertThat(words("heatshield completion ")).contains("bash", "fish", "zsh");
    assertThat(words("heatshield check a")).containsExactly("afile.yaml");
    assertThat(words("heatshield serve --config a")).containsExactly("afile.yaml");
    assertThat(complete("heatshield hot --scope a")).isEmpty();
  }

  private List<String> complete(String line) throws Exception {
    Path script = folder.resolve("heatshield.fish");
    Files.writeString(script, Invocation.of("completion", "fish").out());
    Path files = Files.createDirectories(folder.resolve("files"));
    Files.writeString(files.resolve("afile.yaml"), "");
    var fish =
        new ProcessBuilder(
                "fish",
                "--no-config",
                "-c",
                "source $argv[1]; and complete -C $argv[2]",
                script.toString(),
                line)
            .directory(files.toFile())
            .redirectErrorStream(true);
    fish.environment().put("HOME", folder.toString());
    Process process = fish.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out.lines().toList();
  }

  /** Returns what would be inserted, without descriptions. */
  private List<String> words(String line) throws Exception {
    return complete(line).stream().map(each -> each.replaceFirst("\t.*", "")).toList();
  }

  private static boolean hasFish() throws InterruptedException {
    try {
      return new ProcessBuilder("fish", "--version").redirectErrorStream(true).start().waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
