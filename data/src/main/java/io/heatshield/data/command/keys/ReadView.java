package io.heatshield.data.command.keys;

import io.heatshield.store.View;
import io.heatshield.store.engine.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of keys that were read before, for commands that change nothing. */
public final class ReadView implements View {
  private final List<byte[]> keys;
  private final List<@Nullable Value> values;
  private final long nowMillis;
  private int next;

  public ReadView(List<byte[]> keys, List<@Nullable Value> values, long nowMillis) {
    this.keys = keys;
    this.values = values;
    this.nowMillis = nowMillis;
  }

  /** Finds keys by identity, starting after the last one: commands ask in argument order. */
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
    throw new IllegalArgumentException("key must be an argument of the command");
  }

  @Override
  public void put(byte[] key, Value value) {
    throw readOnly();
  }

  @Override
  public boolean delete(byte[] key) {
    throw readOnly();
  }

  @Override
  public long stamp(byte[] key) {
    throw readOnly();
  }

  @Override
  public long nowMillis() {
    return nowMillis;
  }

  private static UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException("command must be declared as a write");
  }
}
