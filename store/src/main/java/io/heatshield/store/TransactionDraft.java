package io.heatshield.store;

import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.Value;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The state of a running transaction: the values that it read, and its changes so far. */
final class TransactionDraft implements View {
  private static final int FEW = 8;

  private final Keys keys;
  private final Stamps stamps;
  private final Function<byte[], @Nullable Value> engine;
  private final long now;
  private final boolean hidesExpired;
  private final Slot[] slots;
  private @Nullable Map<ByteBuffer, Integer> index;

  /**
   * Creates a draft that has read nothing.
   *
   * @param hidesExpired whether the engine returns expired values, which count as absent
   */
  TransactionDraft(
      Keys keys,
      Stamps stamps,
      long now,
      boolean hidesExpired,
      Function<byte[], @Nullable Value> engine) {
    this.keys = keys;
    this.stamps = stamps;
    this.now = now;
    this.hidesExpired = hidesExpired;
    this.engine = engine;
    this.slots = new Slot[keys.size()];
    Arrays.setAll(slots, i -> new Slot());
  }

  /** Sets the values that the engine returned for all keys. */
  TransactionDraft read(List<@Nullable Value> values) {
    for (int i = 0; i < slots.length; i++) {
      slots[i].before = values.get(i);
      slots[i].read = true;
    }
    return this;
  }

  @Override
  public @Nullable Value get(byte[] key) {
    int i = find(key);
    return slots[i].changed ? slots[i].after : live(i);
  }

  @Override
  public void put(byte[] key, Value value) {
    Slot slot = slots[find(key)];
    slot.set(value.isExpired(now) ? null : value);
    slot.put = true;
  }

  @Override
  public boolean delete(byte[] key) {
    boolean existed = get(key) != null;
    slots[find(key)].set(null);
    return existed;
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
   * Returns the places of the keys that are changed. A key that was put and deleted again is one of
   * them, because it existed for a moment and a WATCH must notice that.
   */
  int[] changes() {
    return IntStream.range(0, slots.length).filter(i -> slots[i].isChange()).toArray();
  }

  /** Returns the new value of a changed key. */
  @Nullable Value after(int place) {
    return slots[place].after;
  }

  /** Returns whether a change only deletes an expired value. */
  boolean deletesExpired(int place) {
    Slot slot = slots[place];
    return slot.after == null && !slot.put && slot.read && live(place) == null;
  }

  /** Returns whether the engine has a value of a key, expired or not. */
  boolean held(int place) {
    return stored(place) != null;
  }

  /** Returns the change of a key so far, for {@link #reset}. */
  Mark mark(byte[] key) {
    Slot slot = slots[find(key)];
    return new Mark(slot, slot.after, slot.changed, slot.put);
  }

  /** Undoes what was done to a key since a mark. */
  void reset(Mark mark) {
    mark.slot.after = mark.after;
    mark.slot.changed = mark.changed;
    mark.slot.put = mark.put;
  }

  /** Returns all values that were read, which the transaction relies on. */
  List<Batch.Expected> expected() {
    return IntStream.range(0, slots.length)
        .filter(i -> slots[i].read)
        .mapToObj(i -> new Batch.Expected(keys.key(i), slots[i].before))
        .toList();
  }

  /** Returns the value in the engine, which is read once. */
  private @Nullable Value stored(int place) {
    Slot slot = slots[place];
    if (!slot.read) {
      slot.before = engine.apply(keys.key(place));
      slot.read = true;
    }
    return slot.before;
  }

  private @Nullable Value live(int place) {
    Value value = stored(place);
    return value == null || (hidesExpired && value.isExpired(now)) ? null : value;
  }

  private int find(byte[] key) {
    if (slots.length <= FEW) {
      for (int i = 0; i < slots.length; i++) {
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
      for (int i = 0; i < slots.length; i++) {
        index.putIfAbsent(ByteBuffer.wrap(keys.key(i)), i);
      }
    }
    return index;
  }

  /** One key: the value that was read, and the change. */
  private static final class Slot {
    private @Nullable Value before;
    private boolean read;
    private @Nullable Value after;
    private boolean changed;
    private boolean put;

    private void set(@Nullable Value value) {
      after = value;
      changed = true;
    }

    private boolean isChange() {
      boolean deletesNothing = after == null && read && before == null && !put;
      return changed && !deletesNothing;
    }
  }

  /** The change of one key at some moment. */
  record Mark(Slot slot, @Nullable Value after, boolean changed, boolean put) {}
}
