package io.heatshield.contract;

import static io.heatshield.contract.TextStore.bytes;
import static io.heatshield.contract.TextStore.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.heatshield.hash.KeyHash;
import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.ChangeReports;
import io.heatshield.store.engine.ChangeSequence;
import io.heatshield.store.engine.DeferredWrites;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.ExpirySweep;
import io.heatshield.store.engine.FaultReports;
import io.heatshield.store.engine.InlineCalls;
import io.heatshield.store.engine.KeyRouting;
import io.heatshield.store.engine.ScanPage;
import io.heatshield.store.engine.ScannedKey;
import io.heatshield.store.engine.SpaceUse;
import io.heatshield.store.engine.Value;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The contract of engines of guarded stores.
 *
 * <pre>{@code
 * class MyEngineTest extends EngineContract {
 *   protected Engine engine() {
 *     return new MyEngine();
 *   }
 * }
 * }</pre>
 *
 * <p>The suite tests the engine alone, behind a store, and behind a store with all protections. A
 * test of a capability that the engine has not is skipped. Override {@link #otherWriter} and {@link
 * #reopen} to test those that need it.
 */
public abstract class EngineContract extends GuardedContract {
  private static final long LATER = 4_000_000_000_000L;
  private static final int ROUNDS = 1000;
  private static final long PATIENCE_SECONDS = 20;

  /** Creates the suite. */
  protected EngineContract() {}

  @Test
  void get_typeAndExpiry_areThoseThatWerePut() {
    Value value = Value.of((byte) 7, bytes("v"), LATER);

    put("k", value);

    assertThat(get("k")).isEqualTo(value);
    assertThat(get("k")).hasToString("1 bytes of type 7 until " + LATER);
  }

  @Test
  void get_anExpiredValue_isReturnedUntilItIsDeleted() {
    assumeFalse(opened().removesExpired(), "the engine removes expired values");

    put("k", Value.of("v").until(1000));

    assertThat(get("k")).isEqualTo(Value.of("v").until(1000));
  }

  @Test
  void apply_severalChanges_makesAllOfThem() {
    put("{t}gone", Value.of("1"));

    boolean made =
        now(
            opened()
                .apply(
                    new Batch(
                        List.of(
                            Batch.Change.of(bytes("{t}a"), Value.of("2")),
                            Batch.Change.of(bytes("{t}gone"), null),
                            Batch.Change.of(bytes("{t}none"), null),
                            Batch.Change.of(bytes("{t}b"), Value.of("3"))),
                        List.of())));

    assertThat(made).isTrue();
    assertThat(get("{t}a")).isEqualTo(Value.of("2"));
    assertThat(get("{t}b")).isEqualTo(Value.of("3"));
    assertThat(get("{t}gone")).isNull();
  }

  @Test
  void apply_expectedValues_areComparedByAnEngineWithOtherWriters() {
    assumeFalse(opened().location().isLocal(), "the store is the only writer");
    put("{t}a", Value.of("1"));

    assertThat(applyIf("{t}a", null)).as("absent, but present").isFalse();
    assertThat(applyIf("{t}a", Value.of("2"))).as("another value").isFalse();
    assertThat(applyIf("{t}none", Value.of("1"))).as("present, but absent").isFalse();
    assertThat(get("{t}b")).isNull();
    assertThat(applyIf("{t}a", Value.of("1"))).isTrue();
    assertThat(get("{t}b")).isEqualTo(Value.of("written"));
    assertThat(applyIf("{t}none", null)).isTrue();
  }

  @Test
  void stages_ofALocalEngine_areCompleteWhenTheyAreReturned() {
    assumeTrue(opened().location().isLocal(), "the engine is remote");

    assertThat(opened().apply(Batch.of(bytes("k"), Value.of("v")))).isDone();
    assertThat(opened().get(bytes("k")).toCompletableFuture()).isDone();
    assertThat(opened().getAll(List.of(bytes("k"))).toCompletableFuture()).isDone();
  }

  @Test
  void forEachKey_withKeys_passesEachUntilTheSinkStops() {
    for (int i = 0; i < 100; i++) {
      put("k" + i, Value.of("v"));
    }
    var keys = new TreeSet<String>();
    var some = new ArrayList<byte[]>();

    opened()
        .forEachKey(
            key -> {
              keys.add(text(key));
              return true;
            });
    opened().forEachKey(key -> some.add(key) && some.size() < 3);

    assertThat(keys).hasSize(100).contains("k0", "k99");
    assertThat(some).hasSize(3);
    assertThat(opened().estimatedSize()).isNotNegative();
  }

  @Test
  void scan_ofTypesAndExpiries_returnsThem() {
    put("k", Value.of((byte) 7, bytes("v"), LATER));

    ScanPage page = now(opened().scan(0, 10));
    while (page.keys().isEmpty() && page.cursor() != 0) {
      page = now(opened().scan(page.cursor(), 10));
    }

    ScannedKey found = page.keys().get(0);
    assertThat(found.key()).isEqualTo(bytes("k"));
    assertThat(found.type()).isEqualTo((byte) 7);
    assertThat(found.expiresAt()).isEqualTo(LATER);
  }

  @Test
  void expired_amongOtherKeys_returnsExpiredOnesAndTheStoreDeletesThem() {
    ExpirySweep sweep = capability(ExpirySweep.class);
    put("ended", Value.of("v").until(1000));
    put("other", Value.of((byte) 7, bytes("v"), 2000));
    put("lasting", Value.of("v").until(LATER));
    put("plain", Value.of("v"));

    Set<String> found = new TreeSet<>();
    for (int i = 0; i < ROUNDS && found.isEmpty(); i++) {
      sweep.expired(1999, 10).forEach(key -> found.add(text(key)));
    }
    for (int i = 0; i < ROUNDS && (get("ended") != null || get("other") != null); i++) {
      store().guarded().maintain();
    }

    assertThat(found).containsExactly("ended");
    assertThat(get("ended")).isNull();
    assertThat(get("other")).isNull();
    assertThat(get("lasting")).isNotNull();
    assertThat(get("plain")).isNotNull();
  }

  @Test
  void sequence_growsWithEveryChangeOnly() {
    ChangeSequence sequence = capability(ChangeSequence.class);
    long first = sequence.sequence();
    put("k", Value.of("1"));
    long put = sequence.sequence();
    get("k");
    long read = sequence.sequence();
    put("k", null);
    long deleted = sequence.sequence();
    put("k", Value.of("1"));
    long before = sequence.sequence();
    now(opened().clear());

    assertThat(first).isNotNegative().isLessThan(put);
    assertThat(read).isEqualTo(put);
    assertThat(deleted).isGreaterThan(put);
    assertThat(sequence.sequence()).isGreaterThan(before);
  }

  @Test
  void bytes_inMemory_followTheData() {
    SpaceUse space = capability(SpaceUse.class);
    long before = space.bytes();

    put("k", Value.of(new byte[10_000]));
    long with = space.bytes();
    put("k", null);

    assertThat(before).isNotNegative();
    assertThat(space.room()).isNotNegative();
    if (opened().location() == Engine.Location.MEMORY) {
      assertThat(with).isGreaterThanOrEqualTo(before + 10_000);
      assertThat(space.bytes()).isLessThan(before + 10_000);
    }
  }

  @Test
  void foreignChange_ofAnotherWriter_isReported() throws Exception {
    ChangeReports reports = capability(ChangeReports.class);
    Optional<Engine> other = otherWriter();
    assumeTrue(other.isPresent(), "the test has no other writer");
    assertThat(isReporting(reports)).isTrue();
    var changed = new LinkedBlockingQueue<Optional<byte[]>>();
    reports.onForeignChange(key -> changed.add(Optional.ofNullable(key)));
    put("k", Value.of("1"));
    get("k");

    try (Engine writer = other.get()) {
      now(writer.apply(Batch.of(bytes("k"), Value.of("2"))));

      assertThat(isReported(changed, "k")).isTrue();
    }
  }

  @Test
  void inlineCalls_haveTheResultsOfStages() {
    InlineCalls calls = capability(InlineCalls.class);
    KeyHash hash = store().guarded().hash();
    byte[] key = bytes("k");
    var added = new ArrayList<Long>();

    calls.put(key, hash.hash(key), bytes("1"), added::add);
    calls.put(key, hash.hash(key), bytes("2"), added::add);

    assertThat(added).containsExactly(hash.hash(key));
    assertThat(calls.find(key, hash.hash(key))).isEqualTo(get("k")).isEqualTo(Value.of("2"));
    assertThat(calls.find(bytes("none"), hash.hash("none"))).isNull();
    assertThat(calls.fetch(new byte[][] {key}, new long[] {hash.hash(key)}, 1)).isBetween(0, 1);
  }

  @Test
  void routing_ofAHotKey_keepsItReadable() {
    KeyRouting routing = capability(KeyRouting.class);
    put("cold", Value.of("1"));

    now(
        opened()
            .apply(
                new Batch(
                    List.of(KeyRouting.change(bytes("hot"), Value.of("2"), true)), List.of())));
    List<byte[]> apart = routing.routedKeys(10);
    routing.unroute(bytes("hot"));

    assertThat(apart).containsExactly(bytes("hot"));
    assertThat(routing.routedKeys(10)).isEmpty();
    assertThat(get("hot")).isEqualTo(Value.of("2"));
    assertThat(get("cold")).isEqualTo(Value.of("1"));
    assertThat(store().size()).isEqualTo(2);
  }

  @Test
  void faults_ofAnEngineThatWorks_areNone() {
    FaultReports reports = capability(FaultReports.class);

    put("k", Value.of("v"));

    assertThat(reports.faults().isWritable()).isTrue();
    assertThat(reports.faults().damage()).isEmpty();
  }

  @Test
  void save_ofUnsavedKeys_leavesNone() {
    DeferredWrites writes = capability(DeferredWrites.class);
    put("k", Value.of("v"));

    writes.unsaved(Integer.MAX_VALUE).forEach(writes::save);

    assertThat(writes.unsaved(Integer.MAX_VALUE)).isEmpty();
    assertThat(get("k")).isEqualTo(Value.of("v"));
  }

  @Test
  void reopen_afterClose_hasEveryAcknowledgedWrite() throws Exception {
    for (int i = 0; i < 100; i++) {
      put("k" + i, Value.of("v" + i));
    }
    long sequence = opened().capability(ChangeSequence.class).map(s -> s.sequence()).orElse(-1L);

    store().close();
    Optional<Engine> again = reopen();
    assumeTrue(again.isPresent(), "the test does not reopen the engine");

    try (Engine engine = again.get()) {
      assertThat(now(engine.get(bytes("k42")))).isEqualTo(Value.of("v42"));
      assertThat(now(engine.size())).isEqualTo(100);
      assertThat(engine.capability(ChangeSequence.class).map(s -> s.sequence()).orElse(-1L))
          .isEqualTo(sequence);
    }
  }

  private <T> T capability(Class<T> type) {
    Optional<T> found = opened().capability(type);
    assumeTrue(found.isPresent(), () -> "the engine has no " + type.getSimpleName());
    return found.get();
  }

  private void put(String key, @Nullable Value value) {
    assertThat(now(opened().apply(Batch.of(bytes(key), value)))).isTrue();
  }

  private @Nullable Value get(String key) {
    return now(opened().get(bytes(key)));
  }

  /** Writes {t}b if a key has a value. */
  private boolean applyIf(String key, @Nullable Value expected) {
    return now(
        opened()
            .apply(
                new Batch(
                    List.of(Batch.Change.of(bytes("{t}b"), Value.of("written"))),
                    List.of(new Batch.Expected(bytes(key), expected)))));
  }

  /** Waits until changes are being reported. */
  private static boolean isReporting(ChangeReports reports) {
    long end = System.nanoTime() + Duration.ofSeconds(PATIENCE_SECONDS).toNanos();
    while (!reports.reportsForeignChanges() && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
    }
    return reports.reportsForeignChanges();
  }

  /** Waits for the report of a key, or of all keys. */
  private static boolean isReported(BlockingQueue<Optional<byte[]>> changed, String key)
      throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(PATIENCE_SECONDS).toNanos();
    while (System.nanoTime() - end < 0) {
      Optional<byte[]> next = changed.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (next != null && (next.isEmpty() || text(next.get()).equals(key))) {
        return true;
      }
    }
    return false;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
