package io.heatshield.runtime.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class StateLockTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path temp;

  @Test
  void lock_folderThatThisProcessHasLocked_isRefusedUntilReleased() throws Exception {
    StateFolder folder = StateFolder.open(temp);
    Path alias = Files.createSymbolicLink(temp.resolveSibling(temp.getFileName() + "-l"), temp);
    StateLock first = folder.lock();

    assertThatIOException()
        .isThrownBy(() -> StateFolder.open(alias).lock())
        .withMessageContaining(alias.toString())
        .withMessageContaining("another server uses this folder")
        .withMessageContaining("server.state_dir");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
    first.close();
    folder.lock().close();
    Files.delete(alias);
  }

  @Test
  void lock_folderThatAnotherProcessHasLocked_isRefusedUntilThatIsKilled() throws Exception {
    Process other = holder();
    assertThat(other.getInputStream().read()).isEqualTo('l');

    assertThatIOException()
        .isThrownBy(() -> StateFolder.open(temp).lock())
        .withMessageContaining("another server uses this folder");
    other.destroyForcibly();
    assertThat(other.waitFor(30, TimeUnit.SECONDS)).isTrue();

    StateFolder.open(temp).lock().close();
  }

  private Path file() {
    return temp.resolve(StateLock.FILE);
  }

  private Process holder() throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classes = System.getProperty("java.class.path");
    return new ProcessBuilder(
            List.of(java, "-cp", classes, Holder.class.getName(), temp.toString()))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** Locks the folder that it is given, says so, and waits to be killed. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] folder) throws Exception {
      StateLock lock = StateFolder.open(Path.of(folder[0])).lock();
      try (lock;
          var out = new FileOutputStream(FileDescriptor.out)) {
        out.write('l');
        int unused = System.in.read();
      }
    }
  }
}
