package io.heatshield.replay.advise;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.replay.KeyCensus;
import io.heatshield.replay.Progress;
import io.heatshield.replay.TraceFacts;
import io.heatshield.replay.trace.Trace;
import java.io.IOException;
import java.util.Arrays;

/**
 * A trace in memory, twelve bytes a touch, so that many settings can be tried on it.
 *
 * <p>At most a given number of touches is taken, from the beginning. Keys beyond the first four
 * million are left out.
 */
public final class Recording {
  static final int MOST_KEYS = 1 << 22;
  private static final int TELL_EVERY = 1 << 16;

  private final KeyHash hash = KeyHash.fast(HashSecret.of(new byte[16]));
  private final KeyCensus census = new KeyCensus(MOST_KEYS);
  private final TraceFacts facts;
  private final boolean cut;
  private int[] keys = new int[1 << 16];
  private long[] nanos = new long[1 << 16];
  private int size;

  private Recording(Trace trace, int most, Progress progress) throws IOException {
    while (size < most && trace.next()) {
      byte[] bytes = trace.bytes();
      int from = trace.from();
      int to = trace.to();
      int key = census.touch(hash.hash(bytes, from, to - from), bytes, from, to);
      if (key >= 0) {
        add(key, trace.nanos());
      }
      if (size % TELL_EVERY == 0) {
        progress.at(trace.packedBytes(), trace.size(), size);
      }
    }
    cut = size == most;
    facts = TraceFacts.of(trace);
  }

  /** Reads a trace, at most so many touches of it. */
  public static Recording of(Trace trace, int most, Progress progress) throws IOException {
    return new Recording(trace, most, progress);
  }

  /** Returns how many touches there are. */
  public int size() {
    return size;
  }

  /** Returns what is known about the trace as far as it was read. */
  public TraceFacts facts() {
    return facts;
  }

  /** Returns whether the trace goes on after what was taken. */
  public boolean isCut() {
    return cut;
  }

  /** Returns how many keys there are. */
  public int keys() {
    return census.size();
  }

  int key(int i) {
    return keys[i];
  }

  long nanos(int i) {
    return nanos[i];
  }

  /** Returns the function that {@link #hash} is by, for the detector that is given these hashes. */
  KeyHash keyHash() {
    return hash;
  }

  long hash(int key) {
    return census.hash(key);
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
