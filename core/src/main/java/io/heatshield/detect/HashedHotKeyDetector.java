package io.heatshield.detect;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The view of a {@link HotKeyDetector} for callers that compute the hashes of keys themselves, for
 * example because several structures use the hash of one key.
 *
 * <pre>{@code
 * HashedHotKeyDetector hashed = detector.hashed(hash);
 * Verdict verdict = hashed.touch(hash.hash(key), key, 1);
 * }</pre>
 *
 * <p>The methods are those of the detector. A hash must be that of the key by the function that
 * {@link HotKeyDetector#hashed} was called with: a wrong hash counts another key.
 */
public final class HashedHotKeyDetector {
  private final HotKeyDetector detector;

  HashedHotKeyDetector(HotKeyDetector detector) {
    this.detector = detector;
  }

  /** Returns the detector. */
  public HotKeyDetector detector() {
    return detector;
  }

  /** Counts a touch, with a weight of 0 or more, of the key with this hash. */
  public Verdict touch(long hash, byte[] key, long weight) {
    return detector.count(hash, key, 0, weight);
  }

  /** Counts a touch, with a weight, of the key in a buffer's remaining bytes with this hash. */
  public Verdict touch(long hash, ByteBuffer key, long weight) {
    return detector.count(hash, key, 0, weight);
  }

  /** Returns the estimate of the key with this hash. */
  public Estimate estimate(long hash) {
    return detector.state().estimate(hash);
  }

  /** Returns a report on the key with this hash, if it has a place in the table. */
  public Optional<KeyReport> explain(long hash) {
    return detector.state().explain(hash);
  }
}
