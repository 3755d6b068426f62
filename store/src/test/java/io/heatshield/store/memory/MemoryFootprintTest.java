package io.heatshield.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.store.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.vm.VM;

/** What the engine says that it takes, against the JVM's own layout. */
class MemoryFootprintTest {
  /** As large as JOL tells of a class with the same fields: it can not look into records. */
  @SuppressWarnings("unused")
  private static final class LikeValue {
    byte type;
    byte[] bytes = {};
    long expiresAt;
    Object structure = bytes;
    long weight;
  }

  @Test
  void bytes_ofManyKeys_areNoLessThanTheyTakeAndLittleMore() {
    var engine = new MemoryEngine(1L << 30);
    int keys = 20_000;

    for (int i = 0; i < keys; i++) {
      engine.put(key(i), Value.of(new byte[i % 100]));
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
      engine.put(key(i), Value.of(new byte[8]));
    }

    assertThat(sizeOf(engine)).isLessThanOrEqualTo(engine.bytes());
  }

  /** Returns the bytes of the chains, the entries, their keys and their values. */
  private static long sizeOf(MemoryEngine engine) {
    long value = ClassLayout.parseInstance(new LikeValue()).instanceSize();
    var entries = new ArrayList<Shelf.Entry>();
    engine.forEachEntry(entries::add);
    long size = (long) Integer.BYTES * engine.chains();
    for (Shelf.Entry entry : entries) {
      size += ClassLayout.parseInstance(entry).instanceSize() + value;
      size += VM.current().sizeOf(entry.key) + VM.current().sizeOf(entry.value().bytes());
    }
    return size;
  }

  private static byte[] key(int number) {
    return ("key-" + number).getBytes(StandardCharsets.US_ASCII);
  }
}
