package io.heatshield.stress;

import io.heatshield.action.Admission;
import io.heatshield.hash.HashSecret;
import io.heatshield.ring.HotRing;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** The ring under test, or with {@code -P broken} one with a known race. */
interface RingSubject {
  long touch(String key);

  long count(String key);

  long remove(String key);

  /** Returns the count that the call made, or -1 if the call was refused. */
  long clamp(String key, long limit);

  /** Returns another key whose search begins at the same of eight cells. */
  String neighbour(String key);

  /** Advances the time by one slot. */
  void turnSlot();

  /** Advances the time by one generation. */
  void turnGeneration();

  static RingSubject create() {
    return Boolean.getBoolean("stress.broken") ? new Naive() : new Real(1);
  }

  /** Returns a ring with eight cells, in which a key takes the cell that another has freed. */
  static RingSubject withRoom() {
    return Boolean.getBoolean("stress.broken") ? new Naive() : new Real(3);
  }

  /** A ring with a window of two slots. */
  final class Real implements RingSubject {
    private final AtomicLong nanos = new AtomicLong();
    private final HotRing ring;

    Real(int bits) {
      ring =
          HotRing.builder()
              .secret(HashSecret.of(new byte[16]))
              .bits(bits)
              .window(2, Duration.ofMillis(1))
              .rotation(Duration.ofMillis(10))
              .maxKeys(0)
              .ticker(nanos::get)
              .build();
    }

    @Override
    public long touch(String key) {
      return ring.touch(key);
    }

    @Override
    public long count(String key) {
      return ring.count(key);
    }

    @Override
    public long remove(String key) {
      return ring.remove(key);
    }

    @Override
    public long clamp(String key, long limit) {
      Admission admission = ring.tryTouch(key, limit);
      return admission.admitted() ? limit - admission.remaining() : -1;
    }

    @Override
    public String neighbour(String key) {
      int home = (int) ring.keyHash().hash(key) & 7;
      return IntStream.range(0, Integer.MAX_VALUE)
          .mapToObj(i -> key + i)
          .filter(other -> ((int) ring.keyHash().hash(other) & 7) == home)
          .findFirst()
          .orElseThrow();
    }

    @Override
    public void turnSlot() {
      nanos.getAndAdd(Duration.ofMillis(1).toNanos());
    }

    @Override
    public void turnGeneration() {
      nanos.getAndAdd(Duration.ofMillis(10).toNanos());
    }
  }

  /** Counts that are read and written in two steps: an interleaved update is lost. */
  final class Naive implements RingSubject {
    private final Map<String, Long> counts = new ConcurrentHashMap<>();

    @Override
    public long touch(String key) {
      long count = count(key) + 1;
      counts.put(key, count);
      return count;
    }

    @Override
    public long count(String key) {
      return counts.getOrDefault(key, 0L);
    }

    @Override
    public long remove(String key) {
      long count = count(key);
      counts.remove(key);
      return count;
    }

    @Override
    public long clamp(String key, long limit) {
      long count = count(key);
      if (count >= limit) {
        return -1;
      }
      counts.put(key, count + 1);
      return count + 1;
    }

    @Override
    public String neighbour(String key) {
      return key + 0;
    }

    @Override
    public void turnSlot() {
      counts.replaceAll((key, count) -> count(key));
    }

    @Override
    public void turnGeneration() {
      turnSlot();
    }
  }
}
