package io.heatshield.contest;

import io.heatshield.key.KeyForm;
import io.heatshield.key.KeyText;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An immutable copy of the block of a key. */
public final class BlockedKey {
  private final long hash;
  private final byte[] stored;
  private final long leftNanos;
  private final int tag;
  private final @Nullable String rule;

  BlockedKey(long hash, byte[] stored, long leftNanos, int tag) {
    this(hash, stored, leftNanos, tag, null);
  }

  private BlockedKey(long hash, byte[] stored, long leftNanos, int tag, @Nullable String rule) {
    this.rule = rule;
    this.hash = hash;
    this.stored = stored;
    this.leftNanos = leftNanos;
    this.tag = tag;
  }

  /** Returns a copy of the key's bytes; of a key over 512 bytes, the first 512. */
  public byte[] key() {
    return KeyForm.visible(stored);
  }

  /** Returns the original length of the key in bytes. */
  public int length() {
    return KeyForm.fullLength(stored);
  }

  /** Returns the time that was left of the block when this copy was made. */
  public Duration left() {
    return Duration.ofNanos(leftNanos);
  }

  /**
   * Returns the name of the rule that made the block; empty if the rule does not exist any more.
   */
  public Optional<String> rule() {
    return Optional.ofNullable(rule);
  }

  /** Returns the key, with non-printable bytes escaped, and the time left. */
  @Override
  public String toString() {
    return KeyText.of(key()) + " for " + left();
  }

  /** Returns this copy with the name of the rule that made the block. */
  BlockedKey withRule(@Nullable String name) {
    return new BlockedKey(hash, stored, leftNanos, tag, name);
  }

  int tag() {
    return tag;
  }

  long hash() {
    return hash;
  }

  byte[] stored() {
    return stored;
  }

  long leftNanos() {
    return leftNanos;
  }

  /** Compares by the time left, longest first, then by the unsigned bytes of the key. */
  static int longestFirst(BlockedKey a, BlockedKey b) {
    int byTime = Long.compare(b.leftNanos, a.leftNanos);
    return byTime != 0 ? byTime : Arrays.compareUnsigned(a.stored, b.stored);
  }
}
