package io.heatshield.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads little-endian words of a {@code byte[]} or a {@link ByteBuffer}, by absolute index. */
final class Words {
  private static final VarHandle ARRAY =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle BUFFER =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Words() {}

  /** Returns the eight bytes that begin at an index. */
  static long at(Object source, int index) {
    return source instanceof byte[] array
        ? (long) ARRAY.get(array, index)
        : (long) BUFFER.get((ByteBuffer) source, index);
  }

  /**
   * Returns the word at a position in a key, padded with zeros; 0 after the end.
   *
   * @param offset the index of the key's first byte
   * @param length the length of the key
   * @param at the position of the word, relative to the key's first byte
   */
  static long padded(Object source, int offset, int length, int at) {
    if (at >= length) {
      return 0;
    }
    if (length >= Long.BYTES) {
      int from = Math.min(at, length - Long.BYTES);
      return at(source, offset + from) >>> (Byte.SIZE * (at - from));
    }
    long word = 0;
    for (int i = offset + length - 1; i >= offset; i--) {
      byte b = source instanceof byte[] array ? array[i] : ((ByteBuffer) source).get(i);
      word = word << Byte.SIZE | (b & 0xffL);
    }
    return word;
  }
}
