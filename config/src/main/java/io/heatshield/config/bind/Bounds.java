package io.heatshield.config.bind;

import io.heatshield.config.settings.Setting;
import io.heatshield.config.value.ByteSize;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks values against the bounds of their setting. */
final class Bounds {
  private Bounds() {}

  /** Returns the problem of a value, or null if it is within its bounds. */
  static @Nullable String broken(Field field, Object value) {
    Setting setting = field.setting();
    if (compares(field, value, setting.min(), -1)) {
      return "must be at least " + setting.min();
    }
    if (compares(field, value, setting.max(), 1)) {
      return value instanceof List<?> list
          ? "must hold at most " + setting.max() + " items, but holds " + list.size()
          : "must be at most " + setting.max();
    }
    if (compares(field, value, setting.above(), -1) || compares(field, value, setting.above(), 0)) {
      return "must be above " + setting.above();
    }
    if (compares(field, value, setting.below(), 1) || compares(field, value, setting.below(), 0)) {
      return "must be below " + setting.below();
    }
    return null;
  }

  /** Returns whether there is a bound and a value compares to it as -1, 0 or 1. */
  private static boolean compares(Field field, Object value, String bound, int result) {
    if (bound.isEmpty()) {
      return false;
    }
    Object limit = field.list() ? bound : Kind.of(field.type()).read(bound);
    return measure(value).compareTo(measure(limit)) == result;
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
