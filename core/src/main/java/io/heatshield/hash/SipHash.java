package io.heatshield.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/** SipHash-c-d with 64 bits of output, for any number of rounds per word and at the end. */
final class SipHash implements KeyHash {
  /*
   * Four words of state. A message word is xored into v3, c rounds pass, the word is xored into v0.
   * The last word holds the bytes left over and, in its top byte, the length modulo 256. Then d
   * rounds end it. The loops below treat the end as one more turn, so that the round is written
   * once per loop.
   */
  private static final VarHandle ARRAY =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle BUFFER =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long INIT_0 = 0x736f6d6570736575L;
  private static final long INIT_1 = 0x646f72616e646f6dL;
  private static final long INIT_2 = 0x6c7967656e657261L;
  private static final long INIT_3 = 0x7465646279746573L;

  private final long k0;
  private final long k1;
  private final int wordRounds;
  private final int endRounds;
  private final long fingerprint;

  SipHash(HashSecret secret, int wordRounds, int endRounds) {
    boolean asIs = secret.isSipKey();
    this.k0 = asIs ? secret.word(0) : secret.derive(HashSecret.Purpose.SIP_KEY, 0);
    this.k1 = asIs ? secret.word(1) : secret.derive(HashSecret.Purpose.SIP_KEY, 1);
    this.wordRounds = wordRounds;
    this.endRounds = endRounds;
    this.fingerprint =
        secret.derive(HashSecret.Purpose.SIP_FINGERPRINT, wordRounds << 4 | endRounds);
  }

  @Override
  public long hash(byte[] key, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, key.length);
    return hash(k0, k1, wordRounds, endRounds, key, offset, length);
  }

  @Override
  public long hash(ByteBuffer key) {
    return hash(k0, k1, wordRounds, endRounds, key, key.position(), key.remaining());
  }

  @Override
  public long hash(CharSequence key) {
    long v0 = k0 ^ INIT_0;
    long v1 = k1 ^ INIT_1;
    long v2 = k0 ^ INIT_2;
    long v3 = k1 ^ INIT_3;
    int chars = key.length();
    int at = 0;
    int length = 0;
    long left = 0;
    int leftBits = 0;
    for (boolean last = false, end = false; ; end = last) {
      long word = left;
      int bits = leftBits;
      left = 0;
      leftBits = 0;
      while (bits < Long.SIZE && at < chars) {
        long packed = Utf8.pack(key, at);
        int more = Byte.SIZE * Utf8.byteCount(packed);
        at += Utf8.charCount(packed);
        length += Utf8.byteCount(packed);
        word |= Utf8.bytes(packed) << bits;
        bits += more;
        if (bits > Long.SIZE) {
          leftBits = bits - Long.SIZE;
          left = Utf8.bytes(packed) >>> (more - leftBits);
        }
      }
      if (bits < Long.SIZE) {
        last = true;
        word |= (long) length << 56;
      }
      if (end) {
        v2 ^= 0xff;
      } else {
        v3 ^= word;
      }
      for (int i = end ? endRounds : wordRounds; i > 0; i--) {
        v0 += v1;
        v2 += v3;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 = Long.rotateLeft(v0, 32) + v3;
        v2 += v1;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v2 = Long.rotateLeft(v2, 32);
      }
      if (end) {
        return v0 ^ v1 ^ v2 ^ v3;
      }
      v0 ^= word;
    }
  }

  @Override
  public long fingerprint() {
    return fingerprint;
  }

  /** Returns SipHash of a part of a {@code byte[]} or of a {@link ByteBuffer} by absolute place. */
  static long hash(
      long k0, long k1, int wordRounds, int endRounds, Object source, int offset, int length) {
    long v0 = k0 ^ INIT_0;
    long v1 = k1 ^ INIT_1;
    long v2 = k0 ^ INIT_2;
    long v3 = k1 ^ INIT_3;
    int whole = length & ~7;
    for (int at = 0; ; at += Long.BYTES) {
      long word = 0;
      boolean end = at > whole;
      if (end) {
        v2 ^= 0xff;
      } else {
        word =
            at < whole
                ? word(source, offset + at)
                : rest(source, offset + at, length - at) | (long) length << 56;
        v3 ^= word;
      }
      for (int i = end ? endRounds : wordRounds; i > 0; i--) {
        v0 += v1;
        v2 += v3;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 = Long.rotateLeft(v0, 32) + v3;
        v2 += v1;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v2 = Long.rotateLeft(v2, 32);
      }
      if (end) {
        return v0 ^ v1 ^ v2 ^ v3;
      }
      v0 ^= word;
    }
  }

  private static long word(Object source, int at) {
    return source instanceof byte[] array
        ? (long) ARRAY.get(array, at)
        : (long) BUFFER.get((ByteBuffer) source, at);
  }

  private static long rest(Object source, int at, int count) {
    long word = 0;
    for (int i = count - 1; i >= 0; i--) {
      byte b = source instanceof byte[] array ? array[at + i] : ((ByteBuffer) source).get(at + i);
      word = word << 8 | (b & 0xffL);
    }
    return word;
  }
}
