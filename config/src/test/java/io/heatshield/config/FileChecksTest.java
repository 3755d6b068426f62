package io.heatshield.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileChecksTest {
  @TempDir Path folder = Path.of("unset");

  @Test
  void check_secretFilesOfTheirOwner_areValid() throws IOException {
    file("token", "0123456789abcdef\n", "rw-------");
    file("cert", "x", "rw-r--r--");
    file("key", "x", "r--------");

    assertThat(faults("{ admin_token_file: D/token, tls: { cert: D/cert, key: D/key } }"))
        .isEmpty();
  }

  @Test
  void check_worldReadableSecrets_areRefused() throws IOException {
    file("token", "0123456789abcdef\n", "rw-r--r--");
    file("cert", "x", "rw-r--r--");
    file("key", "x", "rw-r-----");

    assertThat(faults("{ admin_token_file: D/token, tls: { cert: D/cert, key: D/key } }"))
        .containsExactly(
            "c:1: server.admin_token_file: \"D/token\" holds a secret, but its owner is not the only"
                + " one who can read it; run chmod 600 on it",
            "c:1: server.tls.key: \"D/key\" holds a secret, but its owner is not the only one who"
                + " can read it; run chmod 600 on it");
  }

  @Test
  void check_missingFilesAndFolders_areNamed() throws IOException {
    file("cert", "x", "rw-r--r--");

    assertThat(faults("{ admin_token_file: D/no, tls: { cert: D/cert, key: D, client_ca: D/ca } }"))
        .containsExactly(
            "c:1: server.admin_token_file: there is no file \"D/no\"",
            "c:1: server.tls.key: \"D\" is not a regular file",
            "c:1: server.tls.client_ca: there is no file \"D/ca\"");
  }

  @Test
  void check_tokenThatIsEmptyOrShortOrHuge_isRefused() throws IOException {
    file("empty", "", "rw-------");
    file("short", "0123456789abcde\n\n", "rw-------");
    file("huge", "x".repeat(5000), "rw-------");

    for (String name : List.of("empty", "short", "huge")) {
      assertThat(faults("{ admin_token_file: D/" + name + " }"))
          .containsExactly(
              "c:1: server.admin_token_file: the token must be 16 to 4096 characters long");
    }
  }

  @Test
  void load_withoutCheckingFiles_readsNone() {
    assertThat(Loading.faults("server: { admin_token_file: /no/such/file }")).isEmpty();
  }

  private void file(String name, String text, String mode) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  private List<String> faults(String server) {
    String link = folder.toString();
    String yaml = "server: " + server.replace("D", link);
    LoadResult result =
        new ConfigLoader(Map.of()).checkingFiles().load("c", yaml.getBytes(StandardCharsets.UTF_8));
    return Loading.faults(result).stream().map(fault -> fault.replace(link, "D")).toList();
  }
}
