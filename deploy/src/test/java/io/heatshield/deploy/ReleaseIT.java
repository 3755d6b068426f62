package io.heatshield.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The folder of a release: what is published, with a checksum beside each file. */
class ReleaseIT {

  private static final String NAME = "heatshield-" + Release.version();

  @Test
  void folder_hasArchiveAndJar() throws IOException {
    assertThat(files().map(file -> file.getFileName().toString()))
        .contains(NAME + ".tar.gz", NAME + ".jar");
  }

  @Test
  void billOfMaterials_namesPackagedLibraries() throws IOException {
    Path bill = Release.folder().resolve(NAME + "-sbom.json");
    assumeTrue(Files.exists(bill), "the bill of materials is not made offline");

    assertThat(bill).content().contains("CycloneDX", "rocksdbjni", "netty-buffer");
  }

  @Test
  void archive_listed_hasOneTimeAndNoUserName() throws Exception {
    Path archive = Release.folder().resolve(NAME + ".tar.gz");
    String day = Release.property("image.time").substring(0, "2026-11-15".length());

    Output list =
        Output.of(List.of("tar", "--utc", "--numeric-owner", "-tvzf", archive.toString()));

    assertThat(list.text().lines()).isNotEmpty().allMatch(line -> line.contains(" " + day + " "));
    assertThat(list.text().lines().map(line -> line.split(" +", -1)[1]).distinct()).hasSize(1);
  }

  @Test
  void everyFile_hasItsChecksumInTheFormThatSha256sumReads() throws Exception {
    List<Path> files = files().filter(file -> !file.toString().endsWith(".sha256")).toList();

    assertThat(files).isNotEmpty();
    for (Path file : files) {
      assertThat(Path.of(file + ".sha256"))
          .hasContent(Release.sha256(file) + "  " + file.getFileName());
    }
  }

  private static Stream<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(Release.folder())) {
      return all.toList().stream();
    }
  }
}
