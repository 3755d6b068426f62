package io.heatshield.rls.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.contest.KeyScore;
import io.heatshield.hash.HashSecret;
import io.heatshield.testkit.time.FakeTicker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableFilesTest {
  private static final String YAML =
      "tables: [{ name: t, persist: true, cardinality: { leak: 0/s }, rules: [{ name: r, when: { rate_above:"
          + " 1/h, burst: 5 }, block_for: 5m, mode: enforce }] }]";

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void open_afterARestart_hasClientsAndBlocksForTheRestOfTheirTimes() {
    try (var before = new TablesFixture(folder, YAML)) {
      assertThat(before.passed("blocked", 6)).isEqualTo(5);
      assertThat(before.touch("client", "/a")).isTrue();
      before.tables.save();
    }

    try (var after = started(Duration.ofMinutes(2), TablesFixture.SECRET)) {
      assertThat(after.touch("blocked")).isFalse();
      KeyScore client = after.tables.all().get(0).clients().find("client").orElseThrow();
      assertThat(client.age()).isEqualTo(Duration.ofMinutes(2));
      assertThat(client.distinct().estimate()).isEqualTo(1);
      after.ticker.advance(Duration.ofMinutes(3));
      assertThat(after.touch("blocked")).isTrue();
    }
  }

  @Test
  void unblock_thenACrash_leavesTheClientUnblocked() throws IOException {
    try (var before = new TablesFixture(folder, YAML)) {
      assertThat(before.passed("client", 6)).isEqualTo(5);
      before.tables.save();

      assertThat(before.tables.unblock("t", bytes("client"))).isTrue();
    }

    try (var after = started(Duration.ZERO, TablesFixture.SECRET)) {
      assertThat(after.tables.all().get(0).clients().find("client")).isEmpty();
      assertThat(after.passed("client", 6)).isEqualTo(5);
    }
  }

  @Test
  void unblock_withoutTheFolder_failsButUnblocks() throws IOException {
    Path gone = folder.resolve("gone");
    try (var fixture = new TablesFixture(gone, YAML)) {
      assertThat(fixture.passed("client", 6)).isEqualTo(5);
      Files.delete(gone);

      assertThatThrownBy(() -> fixture.tables.unblock("t", bytes("client")))
          .isInstanceOf(IOException.class);

      assertThat(fixture.touch("client")).isTrue();
      assertThat(fixture.metrics.scrape()).contains("heatshield_table_saves_failed_total 1.0");
    }
  }

  @Test
  void save_ofATableWithoutPersist_writesNothing() throws IOException {
    try (var fixture = new TablesFixture(folder, YAML.replace("true", "false"))) {
      fixture.tables.save();
      fixture.tables.saveDue();

      assertThat(files()).isEmpty();
    }
  }

  @Test
  void saveDue_oncePerWindow_writesFilesReadableByTheOwnerOnly() throws IOException {
    try (var fixture = new TablesFixture(folder, YAML.replace("persist", "window: 10s, persist"))) {
      fixture.tables.saveDue();
      assertThat(files()).containsExactlyInAnyOrder("table-t.blocks", "table-t.clients");
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(folder.resolve("table-t.blocks"))))
          .isEqualTo("rw-------");
      assertThat(fixture.passed("client", 6)).isEqualTo(5);
      byte[] kept = Files.readAllBytes(folder.resolve("table-t.clients"));

      fixture.ticker.advance(Duration.ofSeconds(10).minusNanos(1));
      fixture.tables.saveDue();
      assertThat(folder.resolve("table-t.clients")).hasBinaryContent(kept);

      fixture.ticker.advanceNanos(1);
      fixture.tables.saveDue();
      assertThat(Files.size(folder.resolve("table-t.clients"))).isGreaterThan(kept.length);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"table-t.clients", "table-t.blocks"})
  void open_ofADamagedFile_renamesItAndStartsEmpty(String name) throws IOException {
    try (var before = new TablesFixture(folder, YAML)) {
      assertThat(before.passed("client", 6)).isEqualTo(5);
      before.tables.save();
    }
    byte[] bytes = Files.readAllBytes(folder.resolve(name));
    bytes[bytes.length / 2] ^= 1;
    Files.write(folder.resolve(name), bytes);

    try (var after = started(Duration.ZERO, TablesFixture.SECRET)) {
      assertThat(after.tables.all().get(0).clients().stats().keys().size())
          .isEqualTo(name.endsWith("clients") ? 0 : 1);
      assertThat(after.tables.all().get(0).clients().stats().blocks().size())
          .isEqualTo(name.endsWith("blocks") ? 0 : 1);
      assertThat(files()).contains(name + ".refused").doesNotContain(name);
      assertThat(after.touch("another")).isTrue();
    }
  }

  @Test
  void open_withAnotherSecret_startsEmpty() throws IOException {
    try (var before = new TablesFixture(folder, YAML)) {
      assertThat(before.passed("client", 6)).isEqualTo(5);
      before.tables.save();
    }

    try (var after = started(Duration.ZERO, HashSecret.of(new byte[16]))) {
      assertThat(after.touch("client")).isTrue();
      assertThat(files())
          .containsExactlyInAnyOrder("table-t.blocks.refused", "table-t.clients.refused");
    }
  }

  @Test
  void save_withoutTheFolder_isCountedAndChangesNothing() throws IOException {
    Path gone = folder.resolve("gone");
    try (var fixture = new TablesFixture(gone, YAML)) {
      Files.delete(gone);

      fixture.tables.save();

      assertThat(fixture.touch("client")).isTrue();
      assertThat(fixture.metrics.scrape()).contains("heatshield_table_saves_failed_total 1.0");
    }
  }

  private TablesFixture started(Duration later, HashSecret secret) {
    Instant wall = TablesFixture.START.plus(later);
    return new TablesFixture(folder, YAML, new FakeTicker(7), secret, wall);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private List<String> files() throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
