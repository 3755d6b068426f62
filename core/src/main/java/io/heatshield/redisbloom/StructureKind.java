package io.heatshield.redisbloom;

import io.heatshield.snapshot.InvalidSnapshotException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** The kinds of structures. Their tags are part of stored forms. */
public enum StructureKind {
  /** A {@link LayeredCuckoo}. */
  CUCKOO(1, "MBbloomCF"),
  /** A {@link CountMin}. */
  COUNT_MIN(2, "CMSk-TYPE"),
  /** A {@link HeavyKeeper}. */
  TOP(3, "TopK-TYPE");

  private final byte tag;
  private final String title;

  StructureKind(int tag, String title) {
    this.tag = (byte) tag;
    this.title = title;
  }

  /** Returns the kind with the given tag, if there is one. */
  public static Optional<StructureKind> of(byte tag) {
    return Arrays.stream(values()).filter(kind -> kind.tag == tag).findFirst();
  }

  /**
   * Returns the structure of a stored form, or null if the form is invalid.
   *
   * @param most the maximum bytes of the structure, when it is fully used
   */
  public static @Nullable Structure read(byte tag, byte[] form, long most) {
    try {
      StructureKind kind = of(tag).orElse(null);
      return kind == null ? null : kind.read(form, bytes -> bytes <= most);
    } catch (InvalidSnapshotException e) {
      return null;
    }
  }

  /** Returns the number of this kind in stored forms. */
  public byte tag() {
    return tag;
  }

  /** Returns the type name in RedisBloom. */
  public String title() {
    return title;
  }

  private Structure read(byte[] form, LongPredicate mayUse) throws InvalidSnapshotException {
    return switch (this) {
      case CUCKOO -> LayeredCuckoo.read(form, mayUse);
      case COUNT_MIN -> CountMin.read(form, mayUse);
      case TOP -> HeavyKeeper.read(form, mayUse);
    };
  }
}
