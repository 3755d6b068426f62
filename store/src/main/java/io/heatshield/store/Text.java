package io.heatshield.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Bytes that are equal when their content is; ordered, so that aimed collisions cost little. */
@SuppressWarnings("ArrayRecordComponent") // That is what its own methods are for.
record Text(byte[] bytes) implements Comparable<Text> {
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Text that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public int compareTo(Text other) {
    return Arrays.compare(bytes, other.bytes);
  }
}
