package io.heatshield.filter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads and writes eight bytes of an array, at any offset, as a little-endian long.
 *
 * <p>This is a separate class because Lincheck does not support the handle behind it; the model
 * checker treats each of the two methods as one step.
 */
final class UnalignedLongs {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private UnalignedLongs() {}

  static long get(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset);
  }

  static void set(byte[] bytes, int offset, long value) {
    LONG.set(bytes, offset, value);
  }
}
