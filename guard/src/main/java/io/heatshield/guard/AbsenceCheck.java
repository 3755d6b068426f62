package io.heatshield.guard;

import org.jspecify.annotations.Nullable;

/**
 * The result of an {@link AbsentKeys} check of one key, to be compared with the backend's reply.
 *
 * <p>Used for one read, by one thread at a time.
 */
public final class AbsenceCheck {
  /** The result if there is no filter. */
  public static final AbsenceCheck NONE = new AbsenceCheck(null, 0, false, 0);

  static final AbsenceCheck ANSWERED = new AbsenceCheck(null, 0, true, 0);

  private final @Nullable AbsentKeys keys;
  private final long hash;
  private final boolean absent;
  private final long version;

  AbsenceCheck(@Nullable AbsentKeys keys, long hash, boolean absent, long version) {
    this.keys = keys;
    this.hash = hash;
    this.absent = absent;
    this.version = version;
  }

  /** Returns whether the read is answered: the key is absent, and the backend need not be read. */
  @SuppressWarnings("ReferenceEquality")
  public boolean isAnswered() {
    return this == ANSWERED;
  }

  /** Returns whether the filter took the key for absent. */
  boolean isAbsent() {
    return absent;
  }

  /** Compares the result with the backend's reply, to count false positives and disagreements. */
  public void verify(boolean found) {
    if (keys != null) {
      keys.verify(hash, absent, version, found);
    }
  }
}
