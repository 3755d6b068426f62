package io.heatshield.stress;

import io.heatshield.count.Rows;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.sketch.CountMinSketch;
import io.heatshield.sketch.HashedCountMinSketch;

/** The sketch under test, or with {@code -P broken} one with a known bug. */
interface SketchSubject {
  int WIDTH = 16;
  int DEPTH = 3;

  /** The secret of all hashes. */
  HashSecret SECRET = HashSecret.of(new byte[16]);

  void add(long hash);

  long estimate(long hash);

  /** Halves every counter, in steps of a few. */
  void halve();

  static SketchSubject create(int stripes) {
    return create(stripes, new Naive());
  }

  static SketchSubject create(int stripes, SketchSubject broken) {
    return Boolean.getBoolean("stress.broken") ? broken : new Real(stripes);
  }

  /** The real sketch. */
  final class Real implements SketchSubject {
    private final HashedCountMinSketch sketch;

    Real(int stripes) {
      CountMinSketch real =
          CountMinSketch.builder()
              .secret(SECRET)
              .width(WIDTH)
              .depth(DEPTH)
              .stripes(stripes)
              .build();
      sketch = real.hashed(KeyHash.fast(SECRET));
    }

    @Override
    public void add(long hash) {
      sketch.touch(hash);
    }

    @Override
    public long estimate(long hash) {
      return sketch.estimate(hash);
    }

    @Override
    @SuppressWarnings("StatementWithEmptyBody")
    public void halve() {
      while (!sketch.sketch().halveStep(7)) {}
    }
  }

  /** A conservative sketch without a lock: two threads that increment 5 both write 6. */
  final class Naive implements SketchSubject {
    private final int[] cells = new int[WIDTH * DEPTH];

    @Override
    public void add(long hash) {
      int to = (int) estimate(hash) + 1;
      for (int row = 0; row < DEPTH; row++) {
        int i = row * WIDTH + Rows.position(hash, row, WIDTH);
        cells[i] = Math.max(cells[i], to);
      }
    }

    @Override
    public long estimate(long hash) {
      int least = Integer.MAX_VALUE;
      for (int row = 0; row < DEPTH; row++) {
        least = Math.min(least, cells[row * WIDTH + Rows.position(hash, row, WIDTH)]);
      }
      return least;
    }

    @Override
    public void halve() {
      for (int i = 0; i < cells.length; i++) {
        cells[i] = (cells[i] + 1) / 2;
      }
    }
  }

  /**
   * A sketch that buffers every second touch, writes two at a time, and reads without the buffer.
   */
  final class Late implements SketchSubject {
    private final Naive written = new Naive();
    private boolean keptBack;

    @Override
    public void add(long hash) {
      keptBack = !keptBack;
      if (!keptBack) {
        written.add(hash);
        written.add(hash);
      }
    }

    @Override
    public long estimate(long hash) {
      return written.estimate(hash);
    }

    @Override
    public void halve() {
      written.halve();
    }
  }

  /** A sketch that clears the old count before it writes the new one: readers see a decrease. */
  final class Falling implements SketchSubject {
    private volatile long count;

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // The fault that the test must find.
    public void add(long hash) {
      long before = count;
      // Writes the same value many times, so that a reader sees the decrease within a short run.
      for (int i = 0; i < 100; i++) {
        count = 0;
      }
      count = before + 1;
    }

    @Override
    public long estimate(long hash) {
      return count;
    }

    @Override
    public void halve() {
      count = (count + 1) / 2;
    }
  }
}
