package io.heatshield.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The container image: its files and configuration, and a server that runs in it. */
@Timeout(300)
class ImageIT {
  @SuppressWarnings("NullAway.Init") // set before all tests
  private static ImageArchive image;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Path root;

  @BeforeAll
  static void unpack(@TempDir Path folder) throws Exception {
    assumeTrue(Files.exists(Release.image()), "this build makes no image (-P image)");
    // Others than root must be able to enter what the server runs in.
    root = Files.createDirectories(folder.resolve("root"));
    image = ImageArchive.unpack(Release.image(), Files.createDirectory(folder.resolve("archive")));
    image.unpackLayers(root);
  }

  @Test
  void digests_areThoseOfTheFiles() throws Exception {
    assertThat(image.id()).isEqualTo(Release.sha256(image.folder().resolve(image.id() + ".json")));
    List<String> digests =
        ImageArchive.texts(image.config().getAsJsonObject("rootfs").getAsJsonArray("diff_ids"));
    assertThat(digests).hasSameSizeAs(image.layers());
    for (int i = 0; i < digests.size(); i++) {
      assertThat(digests.get(i)).isEqualTo("sha256:" + Release.sha256(image.layers().get(i)));
    }
  }

  @Test
  void configuration_hasUserVolumeVersionAndLicence() {
    assertThat(image.run().get("User").getAsString()).matches("[1-9][0-9]*:[1-9][0-9]*");
    assertThat(image.run().getAsJsonObject("Volumes").keySet())
        .containsExactly("/var/lib/heatshield");
    assertThat(image.run().getAsJsonObject("Labels").toString())
        .contains(
            "\"org.opencontainers.image.version\":\"" + Release.version() + "\"",
            "\"org.opencontainers.image.licenses\":\"Apache-2.0\"");
  }

  @Test
  void files_areWritableByTheirOwnerOnlyAndIncludeCertificates() throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      assertThat(files.filter(Files::isRegularFile))
          .allMatch(
              file ->
                  Stream.of("GROUP_WRITE", "OTHERS_WRITE")
                      .noneMatch(mode -> modes(file).contains(mode)));
    }
    assertThat(root.resolve("opt/heatshield/jre/lib/security/cacerts")).isNotEmptyFile();
  }

  @Tag("thorough")
  @Test
  void image_builtAgain_isTheSameByteForByte(@TempDir Path folder) throws Exception {
    Path again = folder.resolve("image.tar.gz");

    Output build =
        Output.of(
            List.of(
                Documents.DEPLOY.resolve("image/build.sh").toString(),
                Release.property("image.distribution"),
                Release.property("image.java"),
                Release.property("image.modules"),
                Release.version(),
                Release.property("image.time"),
                again.toString()));

    assertThat(build.code()).as(build.text()).isZero();
    assertThat(build.text()).contains("sha256:" + image.id());
    assertThat(Files.mismatch(Release.image(), again)).isEqualTo(-1);
  }

  @Test
  void server_inTheImage_answersIsHealthyAndStopsAtASignal(@TempDir Path folder) throws Exception {
    Container container = new Container(image, root, folder);
    assumeTrue(container.mayRun(), "this machine allows no namespaces");

    try (Container.Running server = container.serve()) {
      Output health = container.command("health", "--url", server.http());
      String get = server.redis("SET", "greeting", "hello") + server.redis("GET", "greeting");

      assertThat(health).isEqualTo(new Output(0, "ready\n"));
      assertThat(get).isEqualTo("+OK\r\n$5\r\nhello\r\n");
      assertThat(server.nativeLibraries())
          .contains(
              "/opt/heatshield/native/libnetty_transport_native_epoll_",
              "/opt/heatshield/native/librocksdbjni");
      if (container.isRoot()) {
        assertThat(server.status())
            .containsPattern("Uid:\\s+65532")
            .containsPattern("CapEff:\\s+0+\\n");
      }
      assertThat(server.stop()).as("%s", server).isZero();
    }
  }

  private static String modes(Path file) {
    try {
      return Objects.toString(Files.getPosixFilePermissions(file));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
