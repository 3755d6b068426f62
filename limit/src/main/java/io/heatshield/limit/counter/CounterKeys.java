package io.heatshield.limit.counter;

import io.heatshield.hash.KeyHash;
import io.heatshield.limit.Algorithm;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/** Writes the names of counters; the encoding is a stored format, see ADR 15. */
public final class CounterKeys {
  /*
   * unit letter, algorithm letter, domain, then key and value of every entry, each text as
   *
   *   number of chars in decimal, ':', the chars in 1 to 3 bytes each
   *
   * with '*' in place of ':' where a rule's pattern stands for all values that it matches. A reader
   * could take this apart again, so two different inputs never give the same bytes. The chars are
   * UTF-8 but for surrogates, which stand for themselves in three bytes: an unpaired one must not
   * turn into a question mark. More than MAX_BYTES becomes the two letters, '#', the length, ':' and
   * the SHA-256 of the whole.
   */
  /** The most bytes of a name. */
  public static final int MAX_BYTES = 512;

  private final KeyHash keyHash;

  /** Creates a writer whose names are hashed by a function. */
  public CounterKeys(KeyHash keyHash) {
    this.keyHash = keyHash;
  }

  /** Returns the name of the counter of a path of entries. */
  public CounterKey key(
      String domain, List<DescriptorEntry> entries, LimitUnit unit, Algorithm algorithm) {
    return key(domain, entries, List.of(), new Limit(0, unit, algorithm));
  }

  /**
   * Returns the name of the counter of a path of entries, some of which share one.
   *
   * @param patterns for each entry the pattern that stands for its value, or an empty text; an
   *     empty list if there is none
   * @param limit its unit and algorithm are part of the name
   */
  public CounterKey key(
      String domain, List<DescriptorEntry> entries, List<String> patterns, Limit limit) {
    int length = 2 + size(domain);
    for (int i = 0; i < entries.size(); i++) {
      String pattern = patterns.isEmpty() ? "" : patterns.get(i);
      DescriptorEntry entry = entries.get(i);
      length += size(entry.key()) + size(pattern.isEmpty() ? entry.value() : pattern);
    }
    byte[] bytes = new byte[length];
    bytes[0] = (byte) limit.unit().letter();
    bytes[1] = (byte) limit.algorithm().letter();
    int at = write(domain, ':', bytes, 2);
    for (int i = 0; i < entries.size(); i++) {
      String pattern = patterns.isEmpty() ? "" : patterns.get(i);
      DescriptorEntry entry = entries.get(i);
      at = write(entry.key(), ':', bytes, at);
      at =
          pattern.isEmpty() ? write(entry.value(), ':', bytes, at) : write(pattern, '*', bytes, at);
    }
    byte[] name = length > MAX_BYTES ? digest(bytes) : bytes;
    return new CounterKey(name, keyHash.hash(name));
  }

  /** Returns how many bytes a text takes, with its length before it. */
  private static int size(String text) {
    int length = text.length();
    int size = digits(length) + 1 + length;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      size += c >= 0x800 ? 2 : c >= 0x80 ? 1 : 0;
    }
    return size;
  }

  /** Writes a text with its length before it, and returns where it ends. */
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
    int end = start + digits(number);
    int rest = number;
    for (int at = end - 1; at >= start; at--) {
      bytes[at] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return end;
  }

  private static int digits(int number) {
    int digits = 1;
    for (int rest = number; rest >= 10; rest /= 10) {
      digits++;
    }
    return digits;
  }

  private static byte[] digest(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      String head = "" + (char) bytes[0] + (char) bytes[1] + '#' + bytes.length + ':';
      byte[] name = new byte[head.length() + digest.length];
      System.arraycopy(head.getBytes(StandardCharsets.US_ASCII), 0, name, 0, head.length());
      System.arraycopy(digest, 0, name, head.length(), digest.length);
      return name;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
