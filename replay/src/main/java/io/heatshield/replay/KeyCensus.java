package io.heatshield.replay;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Every key of a trace with its number of touches, up to a limit of keys.
 *
 * <p>Keys are told apart by their 64-bit keyed hash: at a million keys the chance that any two are
 * taken for one is below one in ten million. The text of a key is kept up to 512 bytes, and as long
 * as all texts together stay below 64 MiB, of which the last quarter is for keys that came eight
 * times. Memory is 28 to 56 bytes for each key beside that.
 *
 * <p>Not for use by several threads.
 */
public final class KeyCensus {
  /*
   * rows[2 i]       the hash of the key with number i
   * rows[2 i + 1]   its touches
   * index[]         open addressing: number + 1, or 0 for nothing
   * text            text of key i: textAt[i] is its offset in text, 0 for none; length in the two bytes before it
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

  /** Creates a census of at most so many keys. */
  public KeyCensus(int limit) {
    this.limit = limit;
  }

  /** Counts a touch; returns the number of its key, or -1 if the key came after the limit. */
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
    return add(at, hash, bytes, from, to);
  }

  /** Returns how many keys there are. */
  public int size() {
    return size;
  }

  /** Returns how many touches were of keys that came after the limit. */
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

  /** Returns the text of a key as far as it was kept, or null if it was not. */
  public byte @Nullable [] text(int number) {
    int at = textAt[number];
    if (at == 0) {
      return null;
    }
    int length = (text[at - 2] & 0xff) << 8 | (text[at - 1] & 0xff);
    return Arrays.copyOfRange(text, at, at + length);
  }

  /** Returns the numbers of the keys with the most touches, most first. */
  public int[] top(int n) {
    return Ranking.highest(size, n, this::total);
  }

  private int add(int at, long hash, byte[] bytes, int from, int to) {
    int number = size++;
    if (2 * number == rows.length) {
      grow();
      return place(number, hash, bytes, from, to);
    }
    index[at] = number + 1;
    return fill(number, hash, bytes, from, to);
  }

  private int place(int number, long hash, byte[] bytes, int from, int to) {
    insert(number, hash);
    return fill(number, hash, bytes, from, to);
  }

  private int fill(int number, long hash, byte[] bytes, int from, int to) {
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

  private void keepText(int number, byte[] bytes, int from, int to, int most) {
    int length = Math.min(to - from, MAX_TEXT);
    if (textEnd + length + 2 > most) {
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
