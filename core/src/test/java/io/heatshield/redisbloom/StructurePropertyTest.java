package io.heatshield.redisbloom;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
import io.heatshield.snapshot.InvalidSnapshotException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import javax.management.JMException;
import javax.management.ObjectName;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Stored forms that were changed and sealed again, as an attacker can do. */
class StructurePropertyTest {
  private static final long[] EXTREME_VALUES = {
    0, 1, -1, 2, 255, Integer.MAX_VALUE, Integer.MIN_VALUE, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE
  };
  private static final List<byte[]> FORMS = forms();

  @Property(tries = 400, shrinking = ShrinkingMode.OFF)
  void read_changedFormWithValidChecksum_worksOrIsRejected(@ForAll long seed)
      throws InvalidSnapshotException {
    var random = new SplittableRandom(seed);
    LayeredCuckoo source = filter(100, 2);
    LayeredCuckoo loading = LayeredCuckoo.fromHeader(source.header(), bytes -> true);
    LayeredCuckoo.Piece piece = source.piece(0, 200);
    assertThat(piece).isNotNull();

    for (int i = 0; i < 50; i++) {
      StoredFormChecks.check(changed(FORMS.get(random.nextInt(FORMS.size())), random));
      StoredFormChecks.checkHeader(changed(source.header(), random));
      StoredFormChecks.checkChunk(loading, changed(piece.chunk(), random), piece.next());
    }
  }

  @Example
  void read_formThatClaimsLargeDimensions_allocatesLittle() throws JMException {
    byte[][] large = {
      form(StoredForms.header(1L << 30, 2, 1, 1)),
      countMin(1 << 15, 1 << 15),
      heavyKeeper(1 << 15, 1 << 15, 0),
      heavyKeeper(1 << 15, 1 << 15, Integer.MIN_VALUE)
    };

    readAll(large);
    long before = allocated();
    readAll(large);

    assertThat(allocated() - before).isLessThan(StoredFormChecks.MAX_BYTES);
  }

  private static void readAll(byte[][] forms) {
    for (byte[] form : forms) {
      for (StructureKind kind : StructureKind.values()) {
        assertThat(StructureKind.read(kind.tag(), form, StoredFormChecks.MAX_BYTES)).isNull();
      }
    }
  }

  private static List<byte[]> forms() {
    var forms = new ArrayList<byte[]>();
    forms.add(filter(10, 0).toBytes());
    forms.add(filter(100, 2).toBytes());
    forms.add(filter(100, 1).toBytes());
    for (int items : new int[] {3, 400}) {
      CountMin sketch = CountMin.create(HashSecret.of(new byte[16]), 20, 3);
      HeavyKeeper top = HeavyKeeper.create(5, 8, 7, 0.9);
      for (int i = 0; i < items; i++) {
        sketch.add(i, i + 1);
        top.add(bytes(i % 40), 2, more -> true);
      }
      forms.add(sketch.toBytes());
      forms.add(top.toBytes());
    }
    return forms;
  }

  private static LayeredCuckoo filter(int items, int expansion) {
    LayeredCuckoo filter = LayeredCuckoo.create(new CuckooShape(20, 2, 20, expansion));
    for (int i = 0; i < items; i++) {
      filter.add(filter.hash(bytes(i)), false, more -> true);
      filter.add(filter.hash(bytes(0)), false, more -> true);
    }
    return filter;
  }

  /** Changes, truncates or extends a form, and seals it again. */
  private static byte[] changed(byte[] form, SplittableRandom random) {
    byte[] changed =
        random.nextInt(4) > 0
            ? form.clone()
            : java.util.Arrays.copyOf(form, random.nextInt(2 * form.length));
    var buffer = ByteBuffer.wrap(changed).order(java.nio.ByteOrder.LITTLE_ENDIAN);
    for (int i = random.nextInt(4); i >= 0 && changed.length > 8; i--) {
      int place = random.nextInt(Math.min(changed.length, random.nextBoolean() ? 120 : 1 << 20));
      if (random.nextBoolean() || place > changed.length - 8) {
        changed[place] = (byte) random.nextInt();
      } else if (random.nextBoolean()) {
        buffer.putInt(place, (int) EXTREME_VALUES[random.nextInt(EXTREME_VALUES.length)]);
      } else {
        buffer.putLong(place, EXTREME_VALUES[random.nextInt(EXTREME_VALUES.length)]);
      }
    }
    return StoredFormChecks.sealed(changed);
  }

  private static byte[] form(byte[] header) {
    ByteBuffer out = StoredBytes.allocate(Integer.BYTES + (long) header.length);
    return StoredBytes.sealed(out.putInt(header.length).put(header));
  }

  private static byte[] countMin(long width, long depth) {
    ByteBuffer out = StoredBytes.allocate(46);
    out.put((byte) 1).put((byte) 1).putLong(1).putLong(2);
    return StoredBytes.sealed(out.putLong(width).putLong(depth).putLong(0).putInt(0));
  }

  private static byte[] heavyKeeper(long width, long depth, int items) {
    ByteBuffer out = StoredBytes.allocate(73);
    out.put((byte) 1).putLong(1).putLong(2).putInt(5).putLong(width).putLong(depth);
    out.putDouble(0.9).putLong(0).putLong(1);
    out.putInt(items == 0 ? 0 : (int) (width * depth)).putInt(items).putInt(0);
    return StoredBytes.sealed(out);
  }

  /** Returns the bytes that this thread has allocated, by an API that every JVM has. */
  private static long allocated() throws JMException {
    return (long)
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME),
                "getThreadAllocatedBytes",
                new Object[] {Thread.currentThread().getId()},
                new String[] {long.class.getName()});
  }

  private static byte[] bytes(int item) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(item).array();
  }
}
