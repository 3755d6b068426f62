package io.heatshield.filter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Eight bytes of an array as one number, the lowest first, from any byte on.
 *
 * <p>A class of its own because Lincheck does not know the handle behind it, and takes these two
 * methods as one step each.
 */
final class UnalignedLongs {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private UnalignedLongs() {}

  static long get(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at);
  }

  static void set(byte[] bytes, int at, long word) {
    LONG.set(bytes, at, word);
  }
}
