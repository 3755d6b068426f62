package io.heatshield.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a string of ASCII keeps, read at once where the JVM lets this package.
 *
 * <p>Character by character a key of 24 costs three times its bytes. A JVM that was started with
 * {@code --add-opens java.base/java.lang=ALL-UNNAMED} lets the array behind a string be read, and
 * then both cost the same. Without it everything works as well, only slower (ADR-0054).
 */
public final class TextBytes {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final byte LATIN1 = 0;

  private static final @Nullable VarHandle VALUE = field("value", byte[].class);
  private static final @Nullable VarHandle CODER = field("coder", byte.class);

  private TextBytes() {}

  /** Returns whether the JVM lets strings be read at once. */
  static boolean isOpen() {
    return VALUE != null && CODER != null;
  }

  /** Returns whether a text is ASCII alone and these are its bytes. */
  public static boolean isAscii(String text, byte[] bytes) {
    byte[] own = of(text);
    return own != null ? Arrays.equals(own, bytes) && isAscii(own) : isAsciiByChar(text, bytes);
  }

  static boolean isAsciiByChar(String text, byte[] bytes) {
    if (text.length() != bytes.length) {
      return false;
    }
    for (int i = 0; i < bytes.length; i++) {
      if (text.charAt(i) != bytes[i]) {
        return false;
      }
    }
    return true;
  }

  /** Returns a string's own bytes, one a character and not to be written, or null. */
  static byte @Nullable [] of(String text) {
    return VALUE == null || CODER == null || (byte) CODER.get(text) != LATIN1
        ? null
        : (byte[]) VALUE.get(text);
  }

  static boolean isAscii(byte[] bytes) {
    long all = 0;
    int last = bytes.length - Long.BYTES;
    if (last < 0) {
      for (byte b : bytes) {
        all |= b;
      }
      return all >= 0;
    }
    for (int i = 0; i < last; i += Long.BYTES) {
      all |= (long) WORD.get(bytes, i);
    }
    return isAscii(all | (long) WORD.get(bytes, last));
  }

  static boolean isAscii(long word) {
    return (word & HIGH_BITS) == 0;
  }

  private static @Nullable VarHandle field(String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(String.class, MethodHandles.lookup())
          .findVarHandle(String.class, name, type);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }
}
