package io.heatshield.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.config.yaml.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigWatcherTest {
  @TempDir Path folder = Path.of("unset");

  private final List<Change> changes = new ArrayList<>();
  private final List<Fault> faults = new ArrayList<>();
  private final List<Configuration> configurations = new ArrayList<>();
  private Path file = Path.of("unset");
  private ConfigWatcher watcher = watch(Path.of("unset"), Loading.valid(""));

  @BeforeEach
  void start() throws IOException {
    file = folder.resolve("heatshield.yaml");
    Files.writeString(file, "detect: { threshold: 100 }\n");
    watcher = watch(file, Loading.valid("detect: { threshold: 100 }"));
  }

  @Test
  void poll_savedFile_reportsTheDiffOnce() throws IOException {
    Files.writeString(file, "detect: { threshold: 200 }\n");

    poll(5);

    assertThat(configurations).hasSize(1);
    assertThat(configurations.get(0).settings().detect().threshold()).isEqualTo(200);
    assertThat(changes).containsExactly(new Change("detect.threshold", "100", "200", false));
  }

  @Test
  void poll_fileThatStillGrows_waitsUntilTwoReadsAreEqual() throws IOException {
    Files.writeString(file, "detect: { thr");
    poll(1);
    Files.writeString(file, "detect: { threshold: 200 }\n");
    poll(1);

    assertThat(configurations).isEmpty();
    assertThat(faults).isEmpty();

    poll(1);
    assertThat(configurations).hasSize(1);
  }

  @Test
  void poll_brokenFile_reportsItsFaultsOnceAndKeepsTheOld() throws IOException {
    Files.writeString(file, "detect: { treshold: 200 }\n");

    poll(5);

    assertThat(configurations).isEmpty();
    assertThat(faults).extracting(Fault::path).containsExactly("detect.treshold");
  }

  @Test
  void poll_fileThatVanishesAndReturns_reportsAndRecovers() throws IOException {
    Files.delete(file);
    poll(3);
    Files.writeString(file, "detect: { threshold: 300 }\n");
    poll(2);

    assertThat(faults).extracting(Fault::message).containsExactly("there is no such file");
    assertThat(configurations).hasSize(1);
  }

  @Test
  void poll_atomicRenameWithTheOldTimeAndSize_isSeen() throws IOException {
    FileTime time = Files.getLastModifiedTime(file);
    Path other = folder.resolve("other");
    Files.writeString(other, "detect: { threshold: 999 }\n");
    Files.setLastModifiedTime(other, time);
    Files.move(other, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);

    poll(2);

    assertThat(configurations).hasSize(1);
  }

  @Test
  void poll_swappedLinkOnTheWay_isSeen() throws IOException {
    Path first = Files.createDirectory(folder.resolve("1"));
    Path second = Files.createDirectory(folder.resolve("2"));
    Files.writeString(first.resolve("c.yaml"), "detect: { threshold: 1 }");
    Files.writeString(second.resolve("c.yaml"), "detect: { threshold: 2 }");
    Path data = Files.createSymbolicLink(folder.resolve("data"), first);
    watcher = watch(data.resolve("c.yaml"), Loading.valid("detect: { threshold: 1 }"));

    Path next = Files.createSymbolicLink(folder.resolve("next"), second);
    Files.move(next, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    poll(2);

    assertThat(changes).containsExactly(new Change("detect.threshold", "1", "2", false));
  }

  @Test
  void poll_onlyACommentChanged_changesNothing() throws IOException {
    Files.writeString(file, "# busy\ndetect: { threshold: 100 }\n");

    poll(2);

    assertThat(configurations).hasSize(1);
    assertThat(changes).isEmpty();
  }

  private void poll(int times) {
    for (int i = 0; i < times; i++) {
      watcher.poll();
    }
  }

  private ConfigWatcher watch(Path path, Configuration current) {
    return ConfigWatcher.of(
        new ConfigLoader(Map.of()),
        path,
        () -> current,
        new ConfigWatcher.Listener() {
          @Override
          public void changed(LoadResult.Valid result, List<Change> found) {
            configurations.add(result.configuration());
            changes.addAll(found);
          }

          @Override
          public void refused(LoadResult.Invalid result) {
            faults.addAll(result.faults());
          }
        });
  }
}
