package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.cli.process.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckCommandTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @Test
  void check_theConfigurationOfTheDistribution_isValid() {
    Path file = Path.of("src/main/dist/conf/heatshield.yaml");

    Invocation check = Invocation.of("check", file.toString());

    assertThat(check.code()).isEqualTo(ExitCode.OK);
    assertThat(check.err()).isEmpty();
    assertThat(check.out()).startsWith(file + ": valid\nmemory:\n").doesNotContain("warning");
  }

  @Test
  void check_tooLargeForThisMachine_isValidWithAWarning() throws IOException {
    Path file = write("a.yaml", "stores: [{ name: huge, max_memory: 10TiB }]\n");

    Invocation check = Invocation.of("check", file.toString());

    assertThat(check.code()).isEqualTo(ExitCode.OK);
    assertThat(check.out())
        .contains(file + ": valid\nmemory:\n")
        .containsPattern("store huge: data +9.00 TiB +heap +stores\\[huge\\].max_memory\n")
        .contains("\nwarning: serve refuses it on this machine: the configuration needs 9.");
  }

  @Test
  void check_fileWithFaults_printsEachWithItsLineAndExitsWithOne() throws IOException {
    Path file = write("bad.yaml", "servr: {}\ndetect:\n  window: 60\n  threshold: -1\n");

    Invocation check = Invocation.of("check", file.toString());

    assertThat(check.code()).isEqualTo(ExitCode.NEGATIVE);
    assertThat(check.err()).isEmpty();
    assertThat(check.out().lines())
        .hasSize(4)
        .anyMatch(line -> line.startsWith(file + ":1: ") && line.contains("server"))
        .anyMatch(line -> line.startsWith(file + ":3: detect.window: "))
        .anyMatch(line -> line.startsWith(file + ":4: detect.threshold: "))
        .endsWith(file + ": 3 errors");
  }

  @Test
  void check_folder_checksEveryFileInIt() throws IOException {
    Path good = write("a.yaml", "detect: { window: 30s }\n");
    Path bad = write("b.yml", "detekt: {}\n");
    write("notes.txt", "not: [yaml");

    Invocation check = Invocation.of("check", folder.toString());

    assertThat(check.code()).isEqualTo(ExitCode.NEGATIVE);
    assertThat(check.out()).contains(good + ": valid", bad + ": 1 error").doesNotContain("notes");
  }

  @Test
  void check_rateLimitFolder_checksItsFilesTogether() throws IOException {
    write("a.yaml", "domain: shop\ndescriptors:\n  - key: ''\n");
    write("b.yaml", "domain: shop\ndescriptors:\n  - {key: a, rate_limit: {unit: eon}}\n");

    Invocation check = Invocation.of("check", folder.toString());

    assertThat(check.code()).isEqualTo(ExitCode.NEGATIVE);
    assertThat(check.out())
        .contains("a.yaml:3: descriptor has empty key", "b.yaml:3: invalid rate limit unit 'eon'")
        .contains("duplicate domain")
        .endsWith(folder + ": 3 errors\n");
  }

  @Test
  void check_rateLimitFile_isValidWithoutAFault() throws IOException {
    Path file =
        write(
            "a.yaml",
            """
            domain: shop
            descriptors:
              - {key: a, rate_limit: {unit: day, requests_per_unit: 1}}
            """);

    Invocation check = Invocation.of("check", file.toString());

    assertThat(check).isEqualTo(new Invocation(0, file + ": valid\n", ""));
  }

  @Test
  void check_configurationWithRules_checksTheRulesToo() throws IOException {
    Path rules = Files.createDirectory(folder.resolve("limits"));
    Files.writeString(rules.resolve("a.yaml"), "domain: ''\n");
    Path file = write("heatshield.yaml", "limits: { config: '" + rules + "' }\n");

    Invocation check = Invocation.of("check", file.toString());

    assertThat(check.code()).isEqualTo(ExitCode.NEGATIVE);
    assertThat(check.out()).contains(file + ": valid", "config file cannot have empty domain");
  }

  @Test
  void check_missingFile_cannotRun() {
    Invocation check = Invocation.of("check", folder.resolve("no\nwhere.yaml").toString());

    assertThat(check.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(check.out()).isEmpty();
    assertThat(check.err()).endsWith("/no\\x0awhere.yaml: no such file\n");
  }

  @Test
  void check_folderWithoutConfiguration_cannotRun() {
    Invocation check = Invocation.of("check", folder.toString());

    assertThat(check.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(check.err()).contains("contains no .yaml or .yml file");
  }

  @Test
  void check_withoutAFile_isWrongUsage() {
    Invocation check = Invocation.of("check");

    assertThat(check.code()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(check.err()).contains("missing required parameter").contains("check --help");
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
