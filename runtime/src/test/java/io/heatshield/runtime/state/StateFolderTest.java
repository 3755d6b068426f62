package io.heatshield.runtime.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.heatshield.hash.HashSecret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateFolderTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path temp;

  @Test
  void hashSecret_firstStart_isGeneratedAndReadableByTheOwnerOnly() throws Exception {
    Path folder = temp.resolve("state");

    HashSecret drawn = StateFolder.open(folder).hashSecret();

    HashSecret again = StateFolder.open(folder).hashSecret();
    assertThat(again.toBytes()).isEqualTo(drawn.toBytes());
    assertThat(mode(folder)).isEqualTo("rwx------");
    assertThat(mode(folder.resolve("hash.secret"))).isEqualTo("rw-------");
    try (var files = Files.list(folder)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void hashSecret_twoFolders_differ() throws Exception {
    HashSecret one = StateFolder.open(temp.resolve("one")).hashSecret();
    HashSecret other = StateFolder.open(temp.resolve("other")).hashSecret();

    assertThat(one.toBytes()).isNotEqualTo(other.toBytes());
  }

  @Test
  void hashSecret_generatedConcurrently_isTheSame() throws Exception {
    Callable<HashSecret> draw = () -> StateFolder.open(temp.resolve("state")).hashSecret();
    ExecutorService pool = Executors.newFixedThreadPool(8);

    List<Future<HashSecret>> drawn = pool.invokeAll(Collections.nCopies(32, draw));
    pool.shutdown();

    var secrets = new ArrayList<String>();
    for (Future<HashSecret> secret : drawn) {
      secrets.add(HexFormat.of().formatHex(secret.get().toBytes()));
    }
    assertThat(secrets.stream().distinct()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "abc", "zz", "00112233445566778899aabbccddeeff"})
  void hashSecret_damagedFile_isRefusedWithoutItsContent(String content) throws Exception {
    StateFolder state = StateFolder.open(temp);
    Path file = Files.writeString(temp.resolve("hash.secret"), content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

    assertThatIOException()
        .isThrownBy(state::hashSecret)
        .withMessageContaining("hash.secret")
        .withMessageContaining("64 hexadecimal digits");
  }

  @Test
  void hashSecret_readableByAll_isRefused() throws Exception {
    StateFolder state = StateFolder.open(temp);
    state.hashSecret();
    Path file = temp.resolve("hash.secret");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

    assertThatIOException().isThrownBy(state::hashSecret).withMessageContaining("chmod 600");
  }

  @Test
  void open_whereAFileExists_namesTheSetting() throws Exception {
    Path file = Files.writeString(temp.resolve("state"), "");

    assertThatIOException()
        .isThrownBy(() -> StateFolder.open(file))
        .withMessageContaining("server.state_dir is not a folder");
  }

  private static String mode(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
