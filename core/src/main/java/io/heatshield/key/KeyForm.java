package io.heatshield.key;

import io.heatshield.hash.KeyHash;
import io.heatshield.hash.Utf8;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A type in which callers pass a key. Equal bytes are the same key in every form.
 *
 * <p>A key of up to {@value #MAX_BYTES} bytes is stored unchanged. A longer key is stored as its
 * first {@value #MAX_BYTES} bytes, its length and a second keyed hash; with the hash of the entry,
 * that makes 128 bits of hash. Only {@link #store} allocates memory.
 */
public abstract class KeyForm<K> {
  /** The length of the longest key that is stored unchanged. */
  public static final int MAX_BYTES = 512;

  /** The length of the stored form of a longer key. */
  public static final int FOLDED_BYTES = MAX_BYTES + Integer.BYTES + Long.BYTES;

  /** The bytes of an array. */
  public static final KeyForm<byte[]> BYTES = new Bytes();

  /** The remaining bytes of a buffer. */
  public static final KeyForm<ByteBuffer> BUFFER = new Buffer();

  /** The UTF-8 of a text. */
  public static final KeyForm<CharSequence> TEXT = new Text();

  /** The decimal digits of a number. */
  public static final KeyForm<Long> NUMBER = new Decimal();

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private KeyForm() {}

  /** Returns the original length of a stored key. */
  public static int fullLength(byte[] stored) {
    return stored.length < FOLDED_BYTES ? stored.length : (int) INT.get(stored, MAX_BYTES);
  }

  /** Returns a copy of the bytes of a stored key, at most the first {@value #MAX_BYTES}. */
  public static byte[] visible(byte[] stored) {
    return Arrays.copyOf(stored, Math.min(stored.length, MAX_BYTES));
  }

  /** Returns the length of the array that {@link #store} would return. */
  public final int storedLength(K key) {
    int length = length(key);
    return length <= MAX_BYTES ? length : FOLDED_BYTES;
  }

  /** Returns the stored form of a key, a new array; {@code second} is the second hash function. */
  public final byte[] store(K key, KeyHash second) {
    int length = length(key);
    if (length <= MAX_BYTES) {
      return copy(key, length);
    }
    byte[] stored = Arrays.copyOf(copy(key, MAX_BYTES), FOLDED_BYTES);
    INT.set(stored, MAX_BYTES, length);
    LONG.set(stored, MAX_BYTES + Integer.BYTES, hash(second, key));
    return stored;
  }

  /** Returns whether a stored key is the same as a key. */
  public final boolean matches(byte[] stored, K key, KeyHash second) {
    if (stored.length < FOLDED_BYTES) {
      return isWhole(stored, key);
    }
    return length(key) == (int) INT.get(stored, MAX_BYTES)
        && startsWith(stored, key, MAX_BYTES)
        && hash(second, key) == (long) LONG.get(stored, MAX_BYTES + Integer.BYTES);
  }

  /** Returns a copy of all bytes of a key. */
  public final byte[] bytes(K key) {
    return copy(key, length(key));
  }

  abstract long hash(KeyHash function, K key);

  abstract int length(K key);

  /** Returns whether an array contains exactly the bytes of the key. */
  boolean isWhole(byte[] stored, K key) {
    return length(key) == stored.length && startsWith(stored, key, stored.length);
  }

  /** Returns whether a key of at least n bytes and an array have the same first n bytes. */
  abstract boolean startsWith(byte[] stored, K key, int n);

  /** Returns a copy of the first n bytes of a key of at least n bytes. */
  abstract byte[] copy(K key, int n);

  private static final class Bytes extends KeyForm<byte[]> {
    @Override
    long hash(KeyHash function, byte[] key) {
      return function.hash(key);
    }

    @Override
    int length(byte[] key) {
      return key.length;
    }

    @Override
    boolean startsWith(byte[] stored, byte[] key, int n) {
      return Arrays.equals(stored, 0, n, key, 0, n);
    }

    @Override
    byte[] copy(byte[] key, int n) {
      return Arrays.copyOf(key, n);
    }
  }

  private static final class Buffer extends KeyForm<ByteBuffer> {
    @Override
    long hash(KeyHash function, ByteBuffer key) {
      return function.hash(key);
    }

    @Override
    int length(ByteBuffer key) {
      return key.remaining();
    }

    @Override
    boolean startsWith(byte[] stored, ByteBuffer key, int n) {
      for (int i = 0; i < n; i++) {
        if (stored[i] != key.get(key.position() + i)) {
          return false;
        }
      }
      return true;
    }

    @Override
    byte[] copy(ByteBuffer key, int n) {
      byte[] bytes = new byte[n];
      key.get(key.position(), bytes);
      return bytes;
    }
  }

  private static final class Text extends KeyForm<CharSequence> {
    @Override
    long hash(KeyHash function, CharSequence key) {
      return function.hash(key);
    }

    @Override
    int length(CharSequence key) {
      int length = 0;
      for (int i = 0; i < key.length(); i++) {
        int codePoint = Utf8.pointAt(key, i);
        length += Utf8.length(codePoint);
        i += Character.charCount(codePoint) - 1;
      }
      return length;
    }

    @Override
    boolean isWhole(byte[] stored, CharSequence key) {
      return equalsAscii(key, stored) || super.isWhole(stored, key);
    }

    @Override
    boolean startsWith(byte[] stored, CharSequence key, int n) {
      int at = 0;
      for (int i = 0; at < n; i++) {
        int codePoint = Utf8.pointAt(key, i);
        i += Character.charCount(codePoint) - 1;
        long bytes = Utf8.encode(codePoint);
        for (int remaining = Utf8.length(codePoint);
            remaining > 0 && at < n;
            remaining--, bytes >>>= Byte.SIZE) {
          if (stored[at++] != (byte) bytes) {
            return false;
          }
        }
      }
      return true;
    }

    @Override
    byte[] copy(CharSequence key, int n) {
      return Arrays.copyOf(key.toString().getBytes(StandardCharsets.UTF_8), n);
    }

    /** Returns whether a text is ASCII and has these bytes; avoids encoding for most keys. */
    private static boolean equalsAscii(CharSequence text, byte[] bytes) {
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
  }

  private static final class Decimal extends KeyForm<Long> {
    private static final int RADIX = 10;

    @Override
    long hash(KeyHash function, Long key) {
      return function.hash(key.longValue());
    }

    @Override
    int length(Long key) {
      int length = key < 0 ? 2 : 1;
      for (long rest = key / RADIX; rest != 0; rest /= RADIX) {
        length++;
      }
      return length;
    }

    @Override
    boolean startsWith(byte[] stored, Long key, int n) {
      int at = length(key);
      long rest = key;
      do {
        at--;
        if (at < n && stored[at] != '0' + Math.abs(rest % RADIX)) {
          return false;
        }
        rest /= RADIX;
      } while (rest != 0);
      return key >= 0 || n == 0 || stored[0] == '-';
    }

    @Override
    byte[] copy(Long key, int n) {
      return Arrays.copyOf(key.toString().getBytes(StandardCharsets.ISO_8859_1), n);
    }
  }
}
