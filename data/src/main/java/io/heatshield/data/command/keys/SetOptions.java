package io.heatshield.data.command.keys;

import io.heatshield.data.command.CommandException;
import io.heatshield.data.command.KeyCall;
import org.jspecify.annotations.Nullable;

/** The options of SET and GETEX; excludes the same combinations as Redis. */
final class SetOptions {
  boolean ifAbsent;
  boolean ifPresent;
  boolean get;
  boolean keepTtl;
  boolean persist;
  @Nullable ExpireTime unit;
  int amountAt;

  private SetOptions() {}

  /** Parses the options from an index on. */
  static SetOptions read(KeyCall call, int from, boolean set) {
    var options = new SetOptions();
    for (int i = from; i < call.count(); i++) {
      boolean more = i + 1 < call.count();
      ExpireTime time = unit(call, i);
      if (time != null && more && options.mayEnd(time)) {
        options.unit = time;
        options.amountAt = ++i;
      } else if (time != null || !options.take(call, i, set)) {
        throw new CommandException(CommandException.SYNTAX);
      }
    }
    return options;
  }

  private boolean take(KeyCall call, int i, boolean set) {
    if (set && call.is(i, "nx") && !ifPresent) {
      ifAbsent = true;
    } else if (set && call.is(i, "xx") && !ifAbsent) {
      ifPresent = true;
    } else if (set && call.is(i, "get")) {
      get = true;
    } else if (set && call.is(i, "keepttl") && unit == null && !persist) {
      keepTtl = true;
    } else if (!set && call.is(i, "persist") && unit == null && !keepTtl) {
      persist = true;
    } else {
      return false;
    }
    return true;
  }

  private boolean mayEnd(ExpireTime time) {
    return !keepTtl && !persist && (unit == null || unit == time);
  }

  private static @Nullable ExpireTime unit(KeyCall call, int i) {
    return switch (call.lower(i)) {
      case "ex" -> ExpireTime.EX;
      case "px" -> ExpireTime.PX;
      case "exat" -> ExpireTime.EXAT;
      case "pxat" -> ExpireTime.PXAT;
      default -> null;
    };
  }
}
