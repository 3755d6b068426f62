package io.heatshield.replay.advise;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.replay.KeyTable;
import io.heatshield.replay.Progress;
import io.heatshield.replay.trace.Trace;
import io.heatshield.replay.trace.TraceFacts;
import java.io.IOException;
import java.util.Arrays;

/**
 * A trace in memory, at twelve bytes per touch, on which many settings can be tried.
 *
 * <p>Holds the first touches of the trace, up to a limit. Keys beyond the first four million are
 * ignored.
 */
public final class Recording {
  static final int MAX_KEYS = 1 << 22;
  private static final int PROGRESS_EVERY = 1 << 16;

  private static final HashSecret SECRET = HashSecret.of(new byte[16]);

  private final KeyHash hash = KeyHash.fast(SECRET);
  private final KeyTable keyTable = new KeyTable(MAX_KEYS);
  private final TraceFacts facts;
  private final boolean truncated;
  private int[] keys = new int[1 << 16];
  private long[] nanos = new long[1 << 16];
  private int size;

  private Recording(Trace trace, int maxTouches, Progress progress) throws IOException {
    while (size < maxTouches && trace.next()) {
      byte[] bytes = trace.bytes();
      int from = trace.from();
      int to = trace.to();
      int key = keyTable.touch(hash.hash(bytes, from, to - from), bytes, from, to);
      if (key >= 0) {
        add(key, trace.nanos());
      }
      if (size % PROGRESS_EVERY == 0) {
        progress.update(trace.compressedBytes(), trace.size(), size);
      }
    }
    truncated = size == maxTouches;
    facts = trace.facts();
  }

  /** Reads at most {@code maxTouches} touches of a trace. */
  public static Recording of(Trace trace, int maxTouches, Progress progress) throws IOException {
    return new Recording(trace, maxTouches, progress);
  }

  /** Returns the number of touches. */
  public int size() {
    return size;
  }

  /** Returns a description of the trace as far as it was read. */
  public TraceFacts facts() {
    return facts;
  }

  /** Returns whether the limit was reached, so that the trace may have more touches. */
  public boolean isTruncated() {
    return truncated;
  }

  /** Returns the number of keys. */
  public int keys() {
    return keyTable.size();
  }

  int key(int i) {
    return keys[i];
  }

  long nanos(int i) {
    return nanos[i];
  }

  /** Returns the secret of {@link #keyHash}. */
  HashSecret secret() {
    return SECRET;
  }

  /** Returns the hash function of {@link #hash}. */
  KeyHash keyHash() {
    return hash;
  }

  long hash(int key) {
    return keyTable.hash(key);
  }

  private void add(int key, long time) {
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, 2 * size);
      nanos = Arrays.copyOf(nanos, 2 * size);
    }
    keys[size] = key;
    nanos[size++] = time;
  }
}
