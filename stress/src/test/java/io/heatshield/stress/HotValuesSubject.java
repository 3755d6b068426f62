package io.heatshield.stress;

import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.guard.BytesKey;
import io.heatshield.guard.ChangeFeed;
import io.heatshield.guard.FleetHotKeys;
import io.heatshield.guard.GuardContext;
import io.heatshield.guard.HotValues;
import io.heatshield.guard.Load;
import io.heatshield.guard.ValueTraits;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.ring.HotRing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One key of a backend with its hot value, or with {@code -P broken} a cache that stores a loaded
 * value without checking whether the key was invalidated during the load.
 */
abstract class HotValuesSubject {
  private static final VarHandle BACKEND;

  static {
    try {
      BACKEND = MethodHandles.lookup().findVarHandle(HotValuesSubject.class, "backend", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The value in the backend. */
  @SuppressWarnings("UnusedVariable") // Read and written through BACKEND.
  private int backend;

  static HotValuesSubject create() {
    return Boolean.getBoolean("stress.broken") ? new Naive() : new Real();
  }

  /** Writes to the backend, with the weakest possible memory order, and invalidates the key. */
  final void write(int value) {
    BACKEND.setRelease(this, value);
    invalidate();
  }

  /** Reads from memory, or from the backend into memory unless another load is pending. */
  final int read() {
    Integer kept = serve();
    return kept != null ? kept : load();
  }

  /** Returns the value in memory, or 0. */
  final int kept() {
    Integer kept = serve();
    return kept == null ? 0 : kept;
  }

  final int ask() {
    return (int) BACKEND.getOpaque(this);
  }

  /** Begins a load; returns whether none was pending. */
  abstract boolean begin();

  /** Completes the load that was begun last with a value. */
  abstract void complete(int value);

  abstract int load();

  abstract @Nullable Integer serve();

  abstract void invalidate();

  private static final class Real extends HotValuesSubject {
    private static final BytesKey KEY = new BytesKey(new byte[] {1}, 1);

    private final HotValues<BytesKey, Integer> values = values();
    private @Nullable Load<BytesKey, Integer> last;

    @Override
    boolean begin() {
      Load<BytesKey, Integer> load = values.begin(KEY);
      last = load == null ? last : load;
      return load != null;
    }

    @Override
    void complete(int value) {
      Load<BytesKey, Integer> load = last;
      if (load != null) {
        values.complete(load, value);
      }
    }

    @Override
    int load() {
      Load<BytesKey, Integer> load = values.begin(KEY);
      int value = ask();
      if (load != null) {
        values.complete(load, value);
      }
      return value;
    }

    @Override
    @Nullable Integer serve() {
      return values.serve(KEY);
    }

    @Override
    void invalidate() {
      values.invalidate(KEY);
    }

    private static HotValues<BytesKey, Integer> values() {
      HashSecret secret = HashSecret.of(new byte[16]);
      KeyHash hash = KeyHash.fast(secret);
      var context =
          new GuardContext(
              "stress", secret, () -> 0, new Savings(), new FleetHotKeys(hash), warning -> {});
      return new HotValues<>(
          context,
          new HotValues.Limits(Mode.ENFORCE, 1, Duration.ofDays(1)),
          1 << 20,
          HotRing.builder().bits(4).maxKeys(16).secret(secret).ticker(() -> 0).build(),
          new ValueTraits<>() {
            @Override
            public long weight(Integer value) {
              return 1;
            }

            @Override
            public boolean isExpired(Integer value) {
              return false;
            }
          },
          ChangeFeed.ALWAYS);
    }
  }

  private static final class Naive extends HotValuesSubject {
    private volatile boolean pending;
    private volatile @Nullable Integer kept;

    @Override
    boolean begin() {
      boolean first = !pending;
      pending = true;
      return first;
    }

    @Override
    void complete(int value) {
      kept = value;
      pending = false;
    }

    @Override
    int load() {
      boolean first = begin();
      int value = ask();
      if (first) {
        complete(value);
      }
      return value;
    }

    @Override
    @Nullable Integer serve() {
      return kept;
    }

    @Override
    void invalidate() {
      pending = false;
      kept = null;
    }
  }
}
