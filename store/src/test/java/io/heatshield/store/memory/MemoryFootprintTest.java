package io.heatshield.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.vm.VM;

/** The memory that the engine reports, compared with the JVM's object layout. */
class MemoryFootprintTest {
  /** A class with the fields of a value: JOL cannot inspect records. */
  @SuppressWarnings("unused")
  private static final class LikeValue {
    byte type;
    byte[] bytes = {};
    long expiresAt;
    Object structure = bytes;
    long weight;
  }

  @Test
  void bytes_ofManyKeys_areAtLeastTheRealSizeAndLittleMore() {
    var engine = new MemoryEngine(1L << 30);
    int keys = 20_000;

    for (int i = 0; i < keys; i++) {
      Value plain = Value.of(new byte[i % 200]);
      put(engine, i, i % 2 == 0 ? plain : plain.until(1_000_000));
    }

    assertThat(sizeOf(engine))
        .isLessThanOrEqualTo(engine.bytes())
        .isGreaterThanOrEqualTo(engine.bytes() - (Integer.BYTES * (long) keys));
  }

  @Test
  void bytes_afterGrowth_areStillNoLess() {
    var engine = new MemoryEngine(1L << 30);
    int grown = 64 * 128;

    for (int i = 0; i < grown + (grown / 8); i++) {
      put(engine, i, Value.of(new byte[8]));
    }

    assertThat(sizeOf(engine)).isLessThanOrEqualTo(engine.bytes());
  }

  /** Returns the bytes of the chains, the entries, their keys and their values. */
  private static long sizeOf(MemoryEngine engine) {
    long value = ClassLayout.parseInstance(new LikeValue()).instanceSize();
    var entries = new ArrayList<HashSegment.Entry>();
    engine.forEachEntry(entries::add);
    long size = (long) Integer.BYTES * engine.chains();
    for (HashSegment.Entry entry : entries) {
      size += ClassLayout.parseInstance(entry).instanceSize();
      size += VM.current().sizeOf(entry.key);
      size +=
          entry.content() instanceof Value held
              ? value + VM.current().sizeOf(held.bytes())
              : VM.current().sizeOf(entry.content());
    }
    return size;
  }

  private static void put(MemoryEngine engine, int number, Value value) {
    byte[] key = ("key-" + number).getBytes(StandardCharsets.US_ASCII);
    engine.apply(Batch.of(key, value)).toCompletableFuture().join();
  }
}
