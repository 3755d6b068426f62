package io.heatshield.limit.counter;

import io.heatshield.hash.KeyHash;
import io.heatshield.limit.Algorithm;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
   *
   * The hash is that of the texts, not of the bytes, so that a name need not be written to be found: with
   * h(text) the keyed hash, and for a pattern its complement, from the two letters on
   *
   *   hash = hash * factor + h(text)
   *
   * The factor is as secret as h. It is 3 modulo 4, so that two texts that change places change the hash
   * unless 63 bits of theirs agree.
   */
  /** The most bytes of a name. */
  public static final int MAX_BYTES = 512;

  /** The most bytes that stand before the chars of a text which is short enough to stay one. */
  private static final int MAX_PREFIX = 4;

  private final KeyHash keyHash;
  private final long factor;

  /** Creates a writer whose names are hashed by a function. */
  public CounterKeys(KeyHash keyHash) {
    this.keyHash = keyHash;
    this.factor = keyHash.hash("factor of counter names") | 3;
  }

  /** Returns the name of the counter of a path of entries. */
  public CounterKey key(
      String domain, List<DescriptorEntry> entries, LimitUnit unit, Algorithm algorithm) {
    return key(domain, entries, null, new Limit(0, unit, algorithm));
  }

  /**
   * Returns the name of the counter of a path of entries, some of which share one.
   *
   * @param shared for each entry the pattern that stands for its value, or null
   * @param limit its unit and algorithm are part of the name
   */
  public CounterKey key(
      String domain,
      List<DescriptorEntry> entries,
      @Nullable String @Nullable [] shared,
      Limit limit) {
    Prefix prefix = prefix(domain, entries, shared, limit);
    int last = entries.size() - 1;
    if (last < 0) {
      return new CounterKey(bounded(prefix.text), null, prefix.hash);
    }
    String pattern = shared == null ? null : shared[last];
    return pattern == null
        ? prefix.key(entries.get(last).value())
        : new CounterKey(
            written(prefix.text, pattern, '*'),
            null,
            (prefix.hash * factor) + ~keyHash.hash(pattern));
  }

  /** Returns the part of a name that comes before the last value; parameters as for a key. */
  public Prefix prefix(
      String domain,
      List<DescriptorEntry> entries,
      @Nullable String @Nullable [] shared,
      Limit limit) {
    return new Prefix(
        textBefore(domain, entries, shared, limit), hashBefore(domain, entries, shared, limit));
  }

  private static byte[] textBefore(
      String domain,
      List<DescriptorEntry> entries,
      @Nullable String @Nullable [] shared,
      Limit limit) {
    int last = entries.size() - 1;
    int length = 2 + size(domain) + (last < 0 ? 0 : size(entries.get(last).key()));
    for (int i = 0; i < last; i++) {
      String pattern = shared == null ? null : shared[i];
      DescriptorEntry entry = entries.get(i);
      length += size(entry.key()) + size(pattern == null ? entry.value() : pattern);
    }
    byte[] bytes = new byte[length];
    bytes[0] = (byte) limit.unit().letter();
    bytes[1] = (byte) limit.algorithm().letter();
    int at = write(domain, ':', bytes, 2);
    for (int i = 0; i < last; i++) {
      String pattern = shared == null ? null : shared[i];
      DescriptorEntry entry = entries.get(i);
      at = write(entry.key(), ':', bytes, at);
      at = pattern == null ? write(entry.value(), ':', bytes, at) : write(pattern, '*', bytes, at);
    }
    if (last >= 0) {
      at = write(entries.get(last).key(), ':', bytes, at);
    }
    return bytes;
  }

  private long hashBefore(
      String domain,
      List<DescriptorEntry> entries,
      @Nullable String @Nullable [] shared,
      Limit limit) {
    long hash = ((long) limit.unit().letter() << Byte.SIZE) | limit.algorithm().letter();
    hash = (hash * factor) + keyHash.hash(domain);
    for (int i = 0; i < entries.size(); i++) {
      DescriptorEntry entry = entries.get(i);
      hash = (hash * factor) + keyHash.hash(entry.key());
      if (i < entries.size() - 1) {
        String pattern = shared == null ? null : shared[i];
        hash =
            (hash * factor)
                + (pattern == null ? keyHash.hash(entry.value()) : ~keyHash.hash(pattern));
      }
    }
    return hash;
  }

  /** Returns a whole name, at length or as a digest. */
  private static byte[] written(byte[] text, String last, char mark) {
    byte[] bytes = Arrays.copyOf(text, text.length + size(last));
    int unused = write(last, mark, bytes, text.length);
    return bounded(bytes);
  }

  private static byte[] bounded(byte[] name) {
    return name.length > MAX_BYTES ? digest(name) : name;
  }

  /** Returns how many bytes a text takes, with its length before it. */
  static int size(String text) {
    int length = text.length();
    int size = digits(length) + 1 + length;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      size += c >= 0x800 ? 2 : c >= 0x80 ? 1 : 0;
    }
    return size;
  }

  /** Writes a text with its length before it, and returns where it ends. */
  static int write(String text, char mark, byte[] bytes, int start) {
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

  private static int digits(int length) {
    int digits = 1;
    for (int rest = length; rest >= 10; rest /= 10) {
      digits++;
    }
    return digits;
  }

  private static byte[] digest(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      int from = 2 + 1 + digits(bytes.length) + 1;
      byte[] kept = new byte[from + digest.length];
      kept[0] = bytes[0];
      kept[1] = bytes[1];
      kept[2] = '#';
      kept[writeNumber(bytes.length, kept, 3)] = ':';
      System.arraycopy(digest, 0, kept, from, digest.length);
      return kept;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** All that stands in a name before the last value: the same for all counters of most rules. */
  public final class Prefix {
    private final byte[] text;
    private final long hash;

    private Prefix(byte[] text, long hash) {
      this.text = text;
      this.hash = hash;
    }

    /** Returns the name that ends with a value. */
    public CounterKey key(String last) {
      long whole = (hash * factor) + keyHash.hash(last);
      return text.length + MAX_PREFIX + (3L * last.length()) <= MAX_BYTES
          ? new CounterKey(text, last, whole)
          : new CounterKey(written(text, last, ':'), null, whole);
    }
  }
}
