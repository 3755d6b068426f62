package io.heatshield.data.command;

import io.heatshield.store.View;
import io.heatshield.store.engine.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keys that were read before the command runs, for commands that change nothing. */
final class ReadView implements View {
  private final List<byte[]> keys;
  private final List<@Nullable Value> values;
  private final long nowMillis;
  private int next;

  ReadView(List<byte[]> keys, List<@Nullable Value> values, long nowMillis) {
    this.keys = keys;
    this.values = values;
    this.nowMillis = nowMillis;
  }

  /** Returns what the very array that was read holds; commands ask in the order of their words. */
  @Override
  @SuppressWarnings("ReferenceEquality")
  public @Nullable Value get(byte[] key) {
    for (int tried = 0; tried < keys.size(); tried++) {
      int place = next;
      next = (next + 1) % keys.size();
      if (keys.get(place) == key) {
        return values.get(place);
      }
    }
    throw new IllegalArgumentException("key must be one of those that were read");
  }

  @Override
  public void put(byte[] key, Value value) {
    throw new UnsupportedOperationException("this command was said to change nothing");
  }

  @Override
  public boolean delete(byte[] key) {
    throw new UnsupportedOperationException("this command was said to change nothing");
  }

  @Override
  public long stamp(byte[] key) {
    throw new UnsupportedOperationException("this command was said to change nothing");
  }

  @Override
  public long nowMillis() {
    return nowMillis;
  }
}
