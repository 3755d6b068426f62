package io.heatshield.store;

import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.Value;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A transaction in the making: what was read of its keys, and what is to become of them. */
final class TransactionDraft implements View {
  private static final int FEW = 8;

  private final Keys keys;
  private final Stamps stamps;
  private final Function<byte[], @Nullable Value> engine;
  private final long now;
  private final boolean judges;
  private final @Nullable Value[] before;
  private final boolean[] read;
  private final @Nullable Value[] after;
  private final boolean[] changed;
  private final boolean[] put;
  private @Nullable Map<ByteBuffer, Integer> index;

  /**
   * Creates one that has read nothing.
   *
   * @param judges whether what has ended is still there, and to be taken for absent
   */
  TransactionDraft(
      Keys keys,
      Stamps stamps,
      long now,
      boolean judges,
      Function<byte[], @Nullable Value> engine) {
    this.keys = keys;
    this.stamps = stamps;
    this.now = now;
    this.judges = judges;
    this.engine = engine;
    this.before = new @Nullable Value[keys.size()];
    this.read = new boolean[keys.size()];
    this.after = new @Nullable Value[keys.size()];
    this.changed = new boolean[keys.size()];
    this.put = new boolean[keys.size()];
  }

  /** Takes what the engine holds, for all keys. */
  TransactionDraft read(List<@Nullable Value> values) {
    for (int i = 0; i < before.length; i++) {
      before[i] = values.get(i);
      read[i] = true;
    }
    return this;
  }

  @Override
  public @Nullable Value get(byte[] key) {
    int i = find(key);
    return changed[i] ? after[i] : live(i);
  }

  @Override
  public void put(byte[] key, Value value) {
    int i = find(key);
    set(i, value.isExpired(now) ? null : value);
    put[i] = true;
  }

  @Override
  public boolean delete(byte[] key) {
    int i = find(key);
    boolean held = (changed[i] ? after[i] : live(i)) != null;
    set(i, null);
    return held;
  }

  @Override
  public long stamp(byte[] key) {
    int i = find(key);
    return stamps.of(stamps.mark(keys.hash(i)), live(i));
  }

  @Override
  public long nowMillis() {
    return now;
  }

  /**
   * Returns which keys are changed, by their place. A key that was put and is gone again is one of
   * them: it was there for a moment, and who watches it is told.
   */
  int[] changes() {
    int count = 0;
    int[] places = new int[changed.length];
    for (int i = 0; i < changed.length; i++) {
      boolean stays = after[i] == null && read[i] && before[i] == null && !put[i];
      if (changed[i] && !stays) {
        places[count++] = i;
      }
    }
    return Arrays.copyOf(places, count);
  }

  /** Returns what a changed key is to hold. */
  @Nullable Value after(int place) {
    return after[place];
  }

  /** Returns whether a change only deletes a value that has ended. */
  boolean deletesEnded(int place) {
    return after[place] == null && !put[place] && read[place] && live(place) == null;
  }

  /** Returns whether the engine holds something, ended or not, under a key. */
  boolean held(int place) {
    live(place);
    return before[place] != null;
  }

  /** Returns what is to become of a key so far. */
  Mark mark(byte[] key) {
    int i = find(key);
    return new Mark(i, after[i], changed[i], put[i]);
  }

  /** Takes back what was done to a key since. */
  void reset(Mark mark) {
    after[mark.place] = mark.after;
    changed[mark.place] = mark.changed;
    put[mark.place] = mark.put;
  }

  /** Returns what the transaction relies on: all that was read. */
  List<Batch.Expected> relied() {
    var relied = new ArrayList<Batch.Expected>();
    for (int i = 0; i < read.length; i++) {
      if (read[i]) {
        relied.add(new Batch.Expected(keys.key(i), before[i]));
      }
    }
    return relied;
  }

  private void set(int i, @Nullable Value value) {
    after[i] = value;
    changed[i] = true;
  }

  private @Nullable Value live(int i) {
    if (!read[i]) {
      before[i] = engine.apply(keys.key(i));
      read[i] = true;
    }
    Value value = before[i];
    return value == null || (judges && value.isExpired(now)) ? null : value;
  }

  private int find(byte[] key) {
    int size = keys.size();
    if (size <= FEW) {
      for (int i = 0; i < size; i++) {
        if (Arrays.equals(keys.key(i), key)) {
          return i;
        }
      }
    } else {
      Integer place = index().get(ByteBuffer.wrap(key));
      if (place != null) {
        return place;
      }
    }
    throw new IllegalArgumentException("key must be one that the transaction named");
  }

  private Map<ByteBuffer, Integer> index() {
    if (index == null) {
      index = new HashMap<>();
      for (int i = 0; i < keys.size(); i++) {
        index.putIfAbsent(ByteBuffer.wrap(keys.key(i)), i);
      }
    }
    return index;
  }

  /** A moment of one key in a draft. */
  record Mark(int place, @Nullable Value after, boolean changed, boolean put) {}
}
