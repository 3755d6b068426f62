package io.heatshield.stress;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.store.Value;
import io.heatshield.store.memory.MemoryEngine;
import java.util.Arrays;
import java.util.Objects;

/**
 * What the tests of short values run on: one key of the memory engine, or with {@code -P broken}
 * bytes that are written over without a word.
 */
interface ValuesSubject {
  /** The length of every value, the most that is overwritten in place. */
  int BYTES = 128;

  /** Sets all bytes of the value. */
  void fill(byte b);

  /** Returns the value's bytes. */
  byte[] bytes();

  /** Returns one that is filled with 1. */
  static ValuesSubject create() {
    ValuesSubject values = Boolean.getBoolean("stress.broken") ? new Naive() : new Real();
    values.fill((byte) 1);
    return values;
  }

  /** Returns what all bytes of the value are, or 0 if they are not all the same. */
  default int read() {
    byte[] seen = bytes();
    for (byte b : seen) {
      if (b != seen[0]) {
        return 0;
      }
    }
    return seen[0];
  }

  /** The engine itself. */
  final class Real implements ValuesSubject {
    private static final KeyHash HASH = KeyHash.fast(HashSecret.of(new byte[16]));
    private static final byte[] KEY = {'k'};

    private final MemoryEngine engine = new MemoryEngine(1 << 20);

    @Override
    public void fill(byte b) {
      byte[] bytes = new byte[BYTES];
      Arrays.fill(bytes, b);
      engine.put(KEY, HASH.hash(KEY), bytes, hash -> {});
    }

    @Override
    public byte[] bytes() {
      Value value = Objects.requireNonNull(engine.find(KEY, HASH.hash(KEY)));
      return value.bytes();
    }
  }

  /** Written over byte by byte, and read likewise. */
  final class Naive implements ValuesSubject {
    private final byte[] kept = new byte[BYTES];

    @Override
    public void fill(byte b) {
      Arrays.fill(kept, b);
    }

    @Override
    public byte[] bytes() {
      return kept.clone();
    }
  }
}
