package io.heatshield.key;

import io.heatshield.hash.KeyHash;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A form that a key comes in; the same text is the same key in every form.
 *
 * <p>A key of up to {@value #MAX_BYTES} bytes is stored as it is. A longer one is stored as its
 * first {@value #MAX_BYTES} bytes, its length and a second keyed hash, which with the hash of the
 * entry makes 128 bits. Only {@link #store} allocates.
 */
public abstract class KeyForm<K> {
  /** The most bytes of a key that are stored as they are. */
  public static final int MAX_BYTES = 512;

  /** The bytes that a longer key is stored in. */
  public static final int FOLDED_BYTES = MAX_BYTES + Integer.BYTES + Long.BYTES;

  /** A whole array. */
  public static final KeyForm<byte[]> BYTES = new Bytes();

  /** The remaining bytes of a buffer. */
  public static final KeyForm<ByteBuffer> BUFFER = new Buffer();

  /** The UTF-8 of a text. */
  public static final KeyForm<String> TEXT = new Text();

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private KeyForm() {}

  /** Returns the length of a stored key as it came in. */
  public static int fullLength(byte[] stored) {
    return stored.length < FOLDED_BYTES ? stored.length : (int) INT.get(stored, MAX_BYTES);
  }

  /** Returns a copy of what is kept of the text of a stored key. */
  public static byte[] visible(byte[] stored) {
    return Arrays.copyOf(stored, Math.min(stored.length, MAX_BYTES));
  }

  /** Returns the number of bytes that {@link #store} would keep. */
  public final int storedLength(K key) {
    int length = length(key);
    return length <= MAX_BYTES ? length : FOLDED_BYTES;
  }

  /** Returns a copy of the key as it is stored; {@code second} hashes a long one again. */
  public final byte[] store(K key, KeyHash second) {
    int length = length(key);
    if (length <= MAX_BYTES) {
      byte[] stored = new byte[length];
      copy(key, stored, length);
      return stored;
    }
    byte[] stored = new byte[FOLDED_BYTES];
    copy(key, stored, MAX_BYTES);
    INT.set(stored, MAX_BYTES, length);
    LONG.set(stored, MAX_BYTES + Integer.BYTES, hash(second, key));
    return stored;
  }

  /** Returns whether a stored key is this one. */
  public final boolean matches(byte[] stored, K key, KeyHash second) {
    if (stored.length < FOLDED_BYTES) {
      return isWhole(stored, key);
    }
    return length(key) == (int) INT.get(stored, MAX_BYTES)
        && startsWith(stored, key, MAX_BYTES)
        && hash(second, key) == (long) LONG.get(stored, MAX_BYTES + Integer.BYTES);
  }

  abstract long hash(KeyHash function, K key);

  abstract int length(K key);

  /** Returns whether these bytes are the whole key. */
  boolean isWhole(byte[] stored, K key) {
    return length(key) == stored.length && startsWith(stored, key, stored.length);
  }

  /** Returns whether the key has at least {@code n} bytes and begins with the first n of these. */
  abstract boolean startsWith(byte[] stored, K key, int n);

  abstract void copy(K key, byte[] into, int n);

  private static final class Bytes extends KeyForm<byte[]> {
    @Override
    long hash(KeyHash function, byte[] key) {
      return function.hash(key, 0, key.length);
    }

    @Override
    int length(byte[] key) {
      return key.length;
    }

    @Override
    boolean isWhole(byte[] stored, byte[] key) {
      return Arrays.equals(stored, key);
    }

    @Override
    boolean startsWith(byte[] stored, byte[] key, int n) {
      return Arrays.equals(stored, 0, n, key, 0, n);
    }

    @Override
    void copy(byte[] key, byte[] into, int n) {
      System.arraycopy(key, 0, into, 0, n);
    }
  }

  private static final class Buffer extends KeyForm<ByteBuffer> {
    private static final VarHandle WORDS =
        MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

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
      int from = key.position();
      if (key.hasArray()) {
        int at = key.arrayOffset() + from;
        return Arrays.equals(stored, 0, n, key.array(), at, at + n);
      }
      int i = 0;
      for (; i + Long.BYTES <= n; i += Long.BYTES) {
        if ((long) LONG.get(stored, i) != (long) WORDS.get(key, from + i)) {
          return false;
        }
      }
      for (; i < n; i++) {
        if (stored[i] != key.get(from + i)) {
          return false;
        }
      }
      return true;
    }

    @Override
    void copy(ByteBuffer key, byte[] into, int n) {
      key.get(key.position(), into, 0, n);
    }
  }

  private static final class Text extends KeyForm<String> {
    @Override
    long hash(KeyHash function, String key) {
      return function.hash(key);
    }

    @Override
    int length(String key) {
      int length = 0;
      for (int i = 0; i < key.length(); i++) {
        int point = pointAt(key, i);
        length += encodedLength(point);
        i += Character.charCount(point) - 1;
      }
      return length;
    }

    @Override
    boolean isWhole(byte[] stored, String key) {
      return isAscii(key, stored)
          || (key.length() <= stored.length && endsAt(stored, key, stored.length));
    }

    @Override
    boolean startsWith(byte[] stored, String key, int n) {
      return walk(stored, key, n, false) >= n;
    }

    @Override
    void copy(String key, byte[] into, int n) {
      int unused = walk(into, key, n, true);
    }

    /** Returns whether a text is ASCII alone and these are its bytes. */
    private static boolean isAscii(String text, byte[] bytes) {
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

    private static boolean endsAt(byte[] stored, String key, int n) {
      return walk(stored, key, n + 1, false) == n;
    }

    /**
     * Writes the first {@code n} bytes of the text's UTF-8 or compares them. Returns how many there
     * are, at most n, or -1 at the first that differs.
     */
    private static int walk(byte[] bytes, String text, int n, boolean write) {
      int at = 0;
      for (int i = 0; i < text.length() && at < n; i++) {
        int point = pointAt(text, i);
        i += Character.charCount(point) - 1;
        int length = encodedLength(point);
        for (int k = 0; k < length && at < n; k++, at++) {
          byte b = encoded(point, length, k);
          if (write) {
            bytes[at] = b;
          } else if (at >= bytes.length || bytes[at] != b) {
            return -1;
          }
        }
      }
      return at;
    }

    /** Returns the code point; of an unpaired surrogate a question mark, as the JDK encodes it. */
    private static int pointAt(String text, int i) {
      int point = text.codePointAt(i);
      return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE ? '?' : point;
    }

    private static int encodedLength(int point) {
      return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    }

    private static byte encoded(int point, int length, int k) {
      if (length == 1) {
        return (byte) point;
      }
      int lead = k > 0 ? 0x80 : (0xf00 >> length) & 0xff;
      int bits = (point >> (6 * (length - 1 - k))) & (k > 0 ? 0x3f : 0x1f);
      return (byte) (lead | bits);
    }
  }
}
