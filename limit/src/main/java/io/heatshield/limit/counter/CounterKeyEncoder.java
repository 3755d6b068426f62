package io.heatshield.limit.counter;

import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.Limit;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;

/** Encodes the keys of counters. The encoding is a stored format, see ADR 15. */
final class CounterKeyEncoder {
  /*
   * unit letter, algorithm letter, domain, then key and value of every entry, each text as
   *
   *   number of chars in decimal, ':', the chars in 1 to 3 bytes each
   *
   * with '*' in place of ':' if it is the pattern of a rule whose values share a counter. It could
   * be decoded, so two different inputs never yield the same bytes. The chars are UTF-8, except
   * that each surrogate is encoded alone, in three bytes: an unpaired one must not become a
   * question mark. A key of more than MAX_BYTES becomes the two letters, '#', the length, ':' and
   * the SHA-256 of the whole.
   */
  static final int MAX_BYTES = 512;

  private static final int MAX_DIGITS = 10;
  private static final int MAX_CHAR_BYTES = 3;

  private CounterKeyEncoder() {}

  /** Returns the bytes of a key; see {@link CounterKey#of(String, List, List, Limit)}. */
  static byte[] encode(
      String domain, List<DescriptorEntry> entries, List<String> patterns, Limit limit) {
    int most = 2 + maxSize(domain);
    for (int i = 0; i < entries.size(); i++) {
      DescriptorEntry entry = entries.get(i);
      String pattern = patterns.isEmpty() ? "" : patterns.get(i);
      most += maxSize(entry.key()) + maxSize(pattern.isEmpty() ? entry.value() : pattern);
    }
    byte[] bytes = new byte[most];
    bytes[0] = (byte) limit.unit().letter();
    bytes[1] = (byte) limit.algorithm().letter();
    int at = write(domain, ':', bytes, 2);
    for (int i = 0; i < entries.size(); i++) {
      DescriptorEntry entry = entries.get(i);
      String pattern = patterns.isEmpty() ? "" : patterns.get(i);
      at = write(entry.key(), ':', bytes, at);
      at =
          pattern.isEmpty() ? write(entry.value(), ':', bytes, at) : write(pattern, '*', bytes, at);
    }
    byte[] encoded = Arrays.copyOf(bytes, at);
    return at > MAX_BYTES ? digest(encoded) : encoded;
  }

  private static int maxSize(String text) {
    return MAX_DIGITS + 1 + MAX_CHAR_BYTES * text.length();
  }

  /** Writes the length of a text, a mark and the text, and returns the position after it. */
  private static int write(String text, char mark, byte[] bytes, int start) {
    int at = writeNumber(text.length(), bytes, start);
    bytes[at++] = (byte) mark;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        bytes[at++] = (byte) c;
      } else if (c < 0x800) {
        bytes[at++] = (byte) (0xc0 | (c >> 6));
        bytes[at++] = (byte) (0x80 | (c & 0x3f));
      } else {
        bytes[at++] = (byte) (0xe0 | (c >> 12));
        bytes[at++] = (byte) (0x80 | ((c >> 6) & 0x3f));
        bytes[at++] = (byte) (0x80 | (c & 0x3f));
      }
    }
    return at;
  }

  private static int writeNumber(int number, byte[] bytes, int start) {
    int at = number < 10 ? start : writeNumber(number / 10, bytes, start);
    bytes[at] = (byte) ('0' + number % 10);
    return at + 1;
  }

  private static byte[] digest(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      String head = "" + (char) bytes[0] + (char) bytes[1] + '#' + bytes.length + ':';
      return ByteBuffer.allocate(head.length() + digest.length)
          .put(head.getBytes(StandardCharsets.US_ASCII))
          .put(digest)
          .array();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
