package io.heatshield.config.bind;

import io.heatshield.config.settings.Setting;
import io.heatshield.config.value.ByteSize;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds values to the bounds of their setting. */
final class Bounds {
  private Bounds() {}

  /** Returns what is wrong with a value, or null if it lies within its bounds. */
  static @Nullable String broken(Field field, Object value) {
    Setting setting = field.setting();
    if (passes(field, value, setting.min(), -1)) {
      return "must be at least " + setting.min();
    }
    if (passes(field, value, setting.max(), 1)) {
      return value instanceof List<?> list
          ? "must hold at most " + setting.max() + " items, but holds " + list.size()
          : "must be at most " + setting.max();
    }
    if (passes(field, value, setting.above(), -1) || equals(field, value, setting.above())) {
      return "must be above " + setting.above();
    }
    if (passes(field, value, setting.below(), 1) || equals(field, value, setting.below())) {
      return "must be below " + setting.below();
    }
    return null;
  }

  private static boolean passes(Field field, Object value, String bound, int direction) {
    return !bound.isEmpty() && measure(value).compareTo(limit(field, bound)) == direction;
  }

  private static boolean equals(Field field, Object value, String bound) {
    return passes(field, value, bound, 0);
  }

  private static BigDecimal limit(Field field, String bound) {
    return field.list() ? new BigDecimal(bound) : measure(Kind.of(field.type()).read(bound));
  }

  private static BigDecimal measure(Object value) {
    if (value instanceof List<?> list) {
      return BigDecimal.valueOf(list.size());
    }
    if (value instanceof Duration duration) {
      return BigDecimal.valueOf(duration.toNanos());
    }
    if (value instanceof ByteSize size) {
      return BigDecimal.valueOf(size.bytes());
    }
    return new BigDecimal(value.toString());
  }
}
