package io.heatshield.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script that builds the image, on machines where it cannot. */
class ImageBuildTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @ParameterizedTest
  @CsvSource({
    "uname, echo Darwin, this is not Linux",
    "getconf, exit 1, the C library is not glibc",
    "tar, echo bsdtar, tar is not GNU tar"
  })
  void build_onAnotherSystem_failsAndSaysWhyAndWhatToDo(String tool, String script, String reason)
      throws Exception {
    Path program = folder.resolve(tool);
    Files.writeString(program, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));

    Output build = build(Path.of(System.getProperty("java.home")));

    assertThat(build.code()).isEqualTo(1);
    assertThat(build.text())
        .isEqualTo(
            "the image cannot be built: " + reason + "; build without it: mvn -P '!image'\n");
  }

  @Test
  void build_withAJavaThatCannotLink_failsAndNamesIt() throws Exception {
    Output build = build(folder);

    assertThat(build.code()).isEqualTo(1);
    assertThat(build.text()).contains(folder + " has no jlink");
  }

  private Output build(Path java) throws Exception {
    var builder =
        new ProcessBuilder(
                Documents.DEPLOY.resolve("image/build.sh").toString(),
                "none.tar.gz",
                java.toString(),
                "java.base",
                "1.0",
                "2026-01-01T00:00:00Z",
                folder.resolve("image.tar.gz").toString())
            .redirectErrorStream(true);
    builder.environment().merge("PATH", folder.toString(), (path, ours) -> ours + ":" + path);
    return Output.of(builder);
  }
}
