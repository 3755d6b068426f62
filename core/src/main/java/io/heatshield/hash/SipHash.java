package io.heatshield.hash;

import java.nio.ByteBuffer;
import java.util.Objects;

/** SipHash-c-d with 64 bits of output, with c rounds per word and d rounds at the end. */
final class SipHash implements KeyHash {
  private final long k0;
  private final long k1;
  private final int wordRounds;
  private final int endRounds;
  private final long fingerprint;

  SipHash(HashSecret secret, int wordRounds, int endRounds) {
    boolean isKey = secret.isSipKey();
    this.k0 = isKey ? secret.word(0) : secret.derive(HashSecret.Purpose.SIP_KEY, 0);
    this.k1 = isKey ? secret.word(1) : secret.derive(HashSecret.Purpose.SIP_KEY, 1);
    this.wordRounds = wordRounds;
    this.endRounds = endRounds;
    this.fingerprint =
        secret.derive(HashSecret.Purpose.SIP_FINGERPRINT, wordRounds << 4 | endRounds);
  }

  /** Returns SipHash-2-4 of a message under a key of two words. */
  static long hash24(long k0, long k1, byte[] message) {
    return hash(new State(k0, k1, 2), 4, message, 0, message.length);
  }

  @Override
  public long hash(byte[] key, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, key.length);
    return hash(newState(), endRounds, key, offset, length);
  }

  @Override
  public long hash(ByteBuffer key) {
    return hash(newState(), endRounds, key, key.position(), key.remaining());
  }

  @Override
  public long hash(CharSequence key) {
    State state = newState();
    var words = new Utf8Words(key);
    for (; ; ) {
      int before = words.length();
      long word = words.next();
      if (words.length() - before < Long.BYTES) {
        return state.finish(word, words.length(), endRounds);
      }
      state.add(word);
    }
  }

  @Override
  public long hash(long key) {
    var words = new DecimalWords(key);
    State state = newState();
    if (words.length() < Long.BYTES) {
      return state.finish(words.first(), words.length(), endRounds);
    }
    state.add(words.first());
    if (words.length() < 2 * Long.BYTES) {
      return state.finish(words.second(), words.length(), endRounds);
    }
    state.add(words.second());
    return state.finish(words.third(), words.length(), endRounds);
  }

  @Override
  public long fingerprint() {
    return fingerprint;
  }

  private State newState() {
    return new State(k0, k1, wordRounds);
  }

  /** Returns the hash of a part of a {@code byte[]} or a {@link ByteBuffer}. */
  private static long hash(State state, int endRounds, Object source, int offset, int length) {
    int whole = length & -Long.BYTES;
    for (int at = 0; at < whole; at += Long.BYTES) {
      state.add(Words.at(source, offset + at));
    }
    return state.finish(Words.padded(source, offset, length, whole), length, endRounds);
  }

  /** The state of one computation: four words. */
  private static final class State {
    private final int wordRounds;
    private long v0;
    private long v1;
    private long v2;
    private long v3;

    State(long k0, long k1, int wordRounds) {
      this.wordRounds = wordRounds;
      v0 = k0 ^ 0x736f6d6570736575L;
      v1 = k1 ^ 0x646f72616e646f6dL;
      v2 = k0 ^ 0x6c7967656e657261L;
      v3 = k1 ^ 0x7465646279746573L;
    }

    void add(long word) {
      v3 ^= word;
      mix(wordRounds);
      v0 ^= word;
    }

    /** Adds the last word, with the length modulo 256 in its top byte, and returns the hash. */
    long finish(long word, int length, int endRounds) {
      add(word | (long) length << 56);
      v2 ^= 0xff;
      mix(endRounds);
      return v0 ^ v1 ^ v2 ^ v3;
    }

    private void mix(int rounds) {
      for (int i = 0; i < rounds; i++) {
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
    }
  }
}
