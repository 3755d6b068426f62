package io.heatshield.guard;

import org.jspecify.annotations.Nullable;

/**
 * What {@link AbsentKeys} said of one key, to be held against what the backend replies.
 *
 * <p>Used for one read, by one thread at a time.
 */
public final class AbsenceCheck {
  /** The check of a read that nothing is known of. */
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

  /** Returns whether the read is answered: the key is absent, and the backend is not asked. */
  @SuppressWarnings("ReferenceEquality")
  public boolean isAnswered() {
    return this == ANSWERED;
  }

  /** Returns whether the key was said to be absent. */
  public boolean isAbsent() {
    return absent;
  }

  /** Compares with the backend's reply, for the counts of false positives and disagreements. */
  public void verify(boolean found) {
    if (keys != null) {
      keys.verify(hash, absent, version, found);
    }
  }
}
