package io.heatshield.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.KeyRouting;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damages every file of a database in several places: nothing that was acknowledged is missed. */
class DamagedFilesTest {
  private static final int KEYS = 1500;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  @TempDir
  Path folder;

  @Test
  void open_afterACrashWithADamagedFile_isRefusedOrLosesNothing() throws Exception {
    Path source = crashed();

    List<String> silent = damageEvery(3, source);

    assertThat(silent).isEmpty();
  }

  @Test
  void open_afterAStopWithADamagedFile_isRefusedOrLosesNothing() throws Exception {
    Path source = stopped();

    List<String> silent = damageEvery(3, source);

    assertThat(silent).isEmpty();
  }

  @Tag("thorough")
  @Test
  void open_withEveryDamageOfEveryFile_isRefusedOrLosesNothing() throws Exception {
    for (Path source : List.of(crashed(), stopped())) {
      assertThat(damageEvery(1, source)).isEmpty();
    }
  }

  @Test
  void open_afterAStop_needsNoLog() throws Exception {
    Path source = stopped();

    long logged = 0;
    for (Path log : new FolderCheck(source).logFiles()) {
      logged += Files.size(log);
    }

    assertThat(logged).isLessThan(100);
  }

  @Test
  void open_ofALogThatEndsInsideARecord_losesThatRecordOnly() throws Exception {
    Path source = crashed();
    List<Path> logs = new FolderCheck(source).logFiles();
    Path newest = logs.get(logs.size() - 1);
    byte[] bytes = Files.readAllBytes(newest);
    Files.write(newest, Arrays.copyOf(bytes, bytes.length - 10));

    assertThat(missing(RocksOptions.in(source))).isEqualTo(1);
  }

  @Test
  void open_ofTableFilesWithoutManifest_isRefusedAndDeletesNone() throws Exception {
    Path source = stopped();
    List<Path> tables = files(source, ".*\\.sst");
    for (Path file : files(source, "CURRENT|MANIFEST.*|.*\\.log|LOCK")) {
      Files.delete(file);
    }

    assertThatThrownBy(() -> RocksEngine.open(RocksOptions.in(source)))
        .hasMessageContaining("CURRENT is missing")
        .hasMessageContaining("recover: salvage");
    assertThat(tables).isNotEmpty().allMatch(Files::exists);
  }

  @Test
  void salvage_ofADamagedFile_opensAndKeepsIntactData() throws Exception {
    salvageEvery(11);
  }

  @Tag("thorough")
  @Test
  void salvage_ofManyDamagesOfEveryFile_opensAndKeepsIntactData() throws Exception {
    salvageEvery(3);
  }

  @Test
  void salvage_ofADamagedManifest_losesNothingAndKeepsTheFile() throws Exception {
    Path source = stopped();
    Path manifest = files(source, "MANIFEST-[0-9]+").get(0);
    byte[] bytes = Files.readAllBytes(manifest);
    bytes[bytes.length / 2] ^= 1;
    Files.write(manifest, bytes);

    assertThat(missing(RocksOptions.in(source).salvaging())).isZero();
    Path aside = files(source, "damaged-.*").get(0);
    assertThat(aside.resolve(manifest.getFileName())).hasBinaryContent(bytes);
  }

  @Test
  void salvage_ofADamagedBlock_keepsAllOtherBlocks() throws Exception {
    Path source = stopped();
    Path table = largest(source);
    byte[] bytes = Files.readAllBytes(table);
    bytes[bytes.length / 2] ^= 1;
    Files.write(table, bytes);

    assertThat(missing(RocksOptions.in(source).salvaging())).isBetween(1, 100);
  }

  @Test
  void read_ofADamagedBlock_namesTheFileAndIsCounted() throws Exception {
    Path source = stopped();
    Path table = largest(source);
    byte[] bytes = Files.readAllBytes(table);
    bytes[bytes.length / 2] ^= 1;
    Files.write(table, bytes);

    try (RocksEngine engine = RocksEngine.open(RocksOptions.in(source))) {
      var failures = new ArrayList<StoreException>();
      for (int i = 0; i < KEYS; i++) {
        readOrAdd(engine, i, failures);
      }

      assertThat(failures).isNotEmpty();
      assertThat(failures)
          .allSatisfy(
              e -> {
                assertThat(e.reason()).isEqualTo(StoreException.Reason.DAMAGED);
                assertThat(e).hasMessageContaining(table + " is damaged at byte");
              });
      assertThat(engine.faults().damage()).contains(table.toString());
      assertThat(engine.faults().damagedReads()).isEqualTo(failures.size());
      assertThat(engine.faults().isWritable()).isTrue();
    }
  }

  /** Salvages a database after every n-th damage. */
  private void salvageEvery(int step) throws Exception {
    for (Path source : List.of(crashed(), stopped())) {
      List<Damage> damages = damages(source);
      for (int i = 0; i < damages.size(); i += step) {
        Damage damage = damages.get(i);
        Path copy = damage.applyToACopyOf(source);

        int missing = missing(RocksOptions.in(copy).writeBuffer(1 << 20).salvaging());

        int most = damage.file.endsWith(".sst") ? KEYS : KEYS / 2;
        assertThat(missing).as("%s of %s", damage, source.getFileName()).isBetween(0, most);
        boolean refused = isRefused(damage.applyToACopyOf(source));
        assertThat(files(copy, "damaged-.*")).as("%s", damage).hasSize(refused ? 1 : 0);
        assertThat(files(copy, "salvage.*")).isEmpty();
      }
    }
  }

  /** Applies every n-th damage; returns those that lose data without a message. */
  private List<String> damageEvery(int step, Path source) throws Exception {
    var silent = new ArrayList<String>();
    List<Damage> damages = damages(source);
    for (int i = 0; i < damages.size(); i += step) {
      Damage damage = damages.get(i);
      Path copy = damage.applyToACopyOf(source);
      try (RocksEngine engine = RocksEngine.open(RocksOptions.in(copy))) {
        int absent = 0;
        for (int key = 0; key < KEYS; key++) {
          absent += readOrAdd(engine, key, new ArrayList<>()) ? 0 : 1;
        }
        if (absent > 0) {
          silent.add(damage + ": " + absent + " keys are gone");
        }
      } catch (StoreException e) {
        String message = String.valueOf(e.getMessage());
        boolean named = message.contains(damage.file) || message.contains("log of " + copy);
        if (!named || !message.contains("recover: salvage")) {
          silent.add(damage + ": " + message);
        }
      }
    }
    return silent;
  }

  private static boolean isRefused(Path folder) {
    RocksOptions options = RocksOptions.in(folder);
    try (RocksEngine engine = RocksEngine.open(options)) {
      return count(engine) < KEYS || engine.faults().damagedReads() > 0;
    } catch (StoreException e) {
      return true;
    }
  }

  /** Returns how many keys are not there, none of which may fail. */
  private static int missing(RocksOptions options) {
    try (RocksEngine engine = RocksEngine.open(options)) {
      return KEYS - count(engine);
    }
  }

  private static int count(RocksEngine engine) {
    int found = 0;
    for (int i = 0; i < KEYS; i++) {
      var failures = new ArrayList<StoreException>();
      if (readOrAdd(engine, i, failures) && failures.isEmpty()) {
        found++;
      }
    }
    return found;
  }

  /** Returns false if a key is absent; a failure is none of that. */
  private static boolean readOrAdd(RocksEngine engine, int i, List<StoreException> failures) {
    try {
      return engine.get(key(i)).toCompletableFuture().join() != null;
    } catch (CompletionException e) {
      failures.add((StoreException) e.getCause());
      return true;
    }
  }

  /** Returns the files of a database as a process leaves them that is killed. */
  private Path crashed() throws Exception {
    Path copy = Files.createDirectory(folder.resolve("crashed"));
    Path data = folder.resolve("running");
    try (RocksEngine engine = RocksEngine.open(RocksOptions.in(data))) {
      write(engine, 0, KEYS / 2);
      engine.compact();
      write(engine, KEYS / 2, KEYS);
      copy(data, copy);
    }
    return copy;
  }

  private Path stopped() {
    Path data = folder.resolve("stopped");
    try (RocksEngine engine = RocksEngine.open(RocksOptions.in(data))) {
      write(engine, 0, KEYS / 2);
      engine.compact();
      write(engine, KEYS / 2, KEYS);
    }
    return data;
  }

  private static void write(RocksEngine engine, int from, int to) {
    var random = new Random(from);
    for (int i = from; i < to; i++) {
      byte[] bytes = new byte[100];
      random.nextBytes(bytes);
      Value value = i % 5 == 0 ? Value.of(bytes).until(Long.MAX_VALUE / 2) : Value.of(bytes);
      var change = KeyRouting.change(key(i), value, i % 7 == 0);
      engine.apply(new Batch(List.of(change), List.of())).toCompletableFuture().join();
    }
  }

  private static byte[] key(int i) {
    return ("key " + (10_000 + i)).getBytes(StandardCharsets.US_ASCII);
  }

  private List<Damage> damages(Path source) throws IOException {
    var damages = new ArrayList<Damage>();
    Path newestLog = null;
    for (Path log : new FolderCheck(source).logFiles()) {
      newestLog = log;
    }
    for (Path file : files(source, "CURRENT|MANIFEST.*|OPTIONS.*|IDENTITY|[0-9]+\\.(sst|log)")) {
      String name = file.getFileName().toString();
      long size = Files.size(file);
      for (int part = 0; part < 8 && size > 8; part++) {
        long at = Math.min(size - 1, size * part / 7 + part);
        damages.add(new Damage(name, "flip", at));
      }
      for (int part = 0; part < 4 && size > 8 && !file.equals(newestLog); part++) {
        damages.add(new Damage(name, "cut", size * part / 4 + part));
      }
      damages.add(new Damage(name, "remove", 0));
    }
    return damages;
  }

  private static Path largest(Path folder) throws IOException {
    Path largest = files(folder, ".*\\.sst").get(0);
    for (Path table : files(folder, ".*\\.sst")) {
      largest = Files.size(table) > Files.size(largest) ? table : largest;
    }
    return largest;
  }

  private static List<Path> files(Path folder, String pattern) throws IOException {
    try (var all = Files.list(folder)) {
      return all.filter(file -> file.getFileName().toString().matches(pattern)).sorted().toList();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    for (Path file : files(from, ".*")) {
      if (Files.isRegularFile(file)) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  /** One fault of one file. */
  private final class Damage {
    private final String file;
    private final String kind;
    private final long at;

    Damage(String file, String kind, long at) {
      this.file = file;
      this.kind = kind;
      this.at = at;
    }

    Path applyToACopyOf(Path source) throws IOException {
      Path copy = Files.createTempDirectory(folder, "damaged");
      copy(source, copy);
      Path damaged = copy.resolve(file);
      byte[] bytes = Files.readAllBytes(damaged);
      switch (kind) {
        case "flip" -> {
          bytes[(int) at] ^= 0x10;
          Files.write(damaged, bytes);
        }
        case "cut" -> Files.write(damaged, Arrays.copyOf(bytes, (int) at));
        default -> Files.delete(damaged);
      }
      return copy;
    }

    @Override
    public String toString() {
      return kind + " " + file + " at " + at;
    }
  }
}
