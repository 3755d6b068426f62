package io.heatshield.replay;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a trace with their exact number of touches, up to a limit of keys.
 *
 * <p>Keys are identified by their 64-bit keyed hash: with a million keys, the probability of any
 * collision is below one in ten million. The first 512 bytes of a key's text are kept as long as
 * all texts fit into 64 MiB; the last quarter of that is reserved for keys with eight touches. In
 * addition, a key takes 28 to 56 bytes.
 *
 * <p>Not thread-safe.
 */
public final class KeyTable {
  /*
   * rows[2 i]       the hash of the key with number i
   * rows[2 i + 1]   its touches
   * index[]         open addressing: number + 1, or 0 if the slot is empty
   * textAt[i]       offset of the key's text in text, 0 if not kept; two bytes before it hold
   *                 the length
   */
  static final int NONE = -1;
  static final int MAX_TEXT = 512;
  static final int ALL_TEXT = 64 << 20;
  static final int OFTEN = 8;
  private static final int FIRST = 1 << 12;

  private final int limit;
  private long[] rows = new long[2 * FIRST];
  private int[] textAt = new int[FIRST];
  private int[] index = new int[2 * FIRST];
  private byte[] text = new byte[1 << 16];
  private int textEnd = 2;
  private int size;
  private long beyond;

  /** Creates a table of at most {@code limit} keys. */
  public KeyTable(int limit) {
    this.limit = limit;
  }

  /** Counts a touch; returns the number of its key, or -1 if the table is full. */
  public int touch(long hash, byte[] bytes, int from, int to) {
    int mask = index.length - 1;
    int at = spread(hash) & mask;
    while (index[at] != 0) {
      int number = index[at] - 1;
      if (rows[2 * number] == hash) {
        if (++rows[2 * number + 1] == OFTEN && textAt[number] == 0) {
          keepText(number, bytes, from, to, ALL_TEXT);
        }
        return number;
      }
      at = (at + 1) & mask;
    }
    if (size == limit) {
      beyond++;
      return NONE;
    }
    return add(hash, bytes, from, to);
  }

  /** Returns the number of keys. */
  public int size() {
    return size;
  }

  /** Returns the number of touches of keys that did not fit. */
  public long beyond() {
    return beyond;
  }

  /** Returns the touches of a key. */
  public long total(int number) {
    return rows[2 * number + 1];
  }

  /** Returns the hash of a key. */
  public long hash(int number) {
    return rows[2 * number];
  }

  /** Returns the kept text of a key, possibly truncated, or null if none was kept. */
  public byte @Nullable [] text(int number) {
    int at = textAt[number];
    if (at == 0) {
      return null;
    }
    int length = (text[at - 2] & 0xff) << 8 | (text[at - 1] & 0xff);
    return Arrays.copyOfRange(text, at, at + length);
  }

  /** Returns the numbers of the n keys with the most touches, most first. */
  public int[] top(int n) {
    return Ranking.highest(size, n, this::total);
  }

  private int add(long hash, byte[] bytes, int from, int to) {
    int number = size++;
    if (2 * number == rows.length) {
      grow();
    }
    insert(number, hash);
    rows[2 * number] = hash;
    rows[2 * number + 1] = 1;
    keepText(number, bytes, from, to, ALL_TEXT / 4 * 3);
    return number;
  }

  private void insert(int number, long hash) {
    int mask = index.length - 1;
    int at = spread(hash) & mask;
    while (index[at] != 0) {
      at = (at + 1) & mask;
    }
    index[at] = number + 1;
  }

  private void grow() {
    int keys = rows.length;
    rows = Arrays.copyOf(rows, 2 * keys);
    textAt = Arrays.copyOf(textAt, keys);
    index = new int[2 * keys];
    for (int number = 0; number < keys / 2; number++) {
      insert(number, rows[2 * number]);
    }
  }

  private void keepText(int number, byte[] bytes, int from, int to, int limitBytes) {
    int length = Math.min(to - from, MAX_TEXT);
    if (textEnd + length + 2 > limitBytes) {
      return;
    }
    if (textEnd + length + 2 > text.length) {
      text = Arrays.copyOf(text, Math.min(ALL_TEXT, Math.max(2 * text.length, textEnd + 1024)));
    }
    text[textEnd] = (byte) (length >> 8);
    text[textEnd + 1] = (byte) length;
    System.arraycopy(bytes, from, text, textEnd + 2, length);
    textAt[number] = textEnd + 2;
    textEnd += length + 2;
  }

  private static int spread(long hash) {
    return (int) (hash ^ hash >>> 32);
  }
}
