package io.heatshield.data.command.keys;

import io.heatshield.data.command.Command;
import io.heatshield.data.command.CommandException;
import io.heatshield.data.command.CommandGroup;
import io.heatshield.data.command.KeyCall;
import io.heatshield.data.command.ValueTypes;
import io.heatshield.resp.Reply;
import io.heatshield.store.engine.Value;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The commands on keys of any type, with the replies of Redis 7. */
public final class KeyCommands {
  private static final long NO_EXPIRY = -1;
  private static final long NO_KEY = -2;
  // The memory that a key takes in the memory engine in addition to its bytes.
  private static final int OVERHEAD = 136;

  private KeyCommands() {}

  public static List<Command> all() {
    return new CommandGroup("generic")
        .write("del -2 - 1.0.0 Deletes keys.", "1 -1 1", KeyCommands::delete)
        .write("unlink -2 fast 4.0.0 Deletes keys.", "1 -1 1", KeyCommands::delete)
        .read("exists -2 fast 1.0.0 Counts the keys that exist.", "1 -1 1", KeyCommands::count)
        .read("touch -2 fast 3.2.1 Counts the keys that exist.", "1 -1 1", KeyCommands::count)
        .read("type 2 fast 1.0.0 Returns the type of a key.", KeyCommands::type)
        .write(
            "expire -3 fast 1.0.0 Sets the time to live in seconds.",
            call -> expire(call, ExpireTime.EX))
        .write(
            "pexpire -3 fast 2.6.0 Sets the time to live in milliseconds.",
            call -> expire(call, ExpireTime.PX))
        .write(
            "expireat -3 fast 1.2.0 Sets the expiry time in Unix seconds.",
            call -> expire(call, ExpireTime.EXAT))
        .write(
            "pexpireat -3 fast 2.6.0 Sets the expiry time in Unix milliseconds.",
            call -> expire(call, ExpireTime.PXAT))
        .read(
            "ttl 2 fast 1.0.0 Returns the time to live in seconds.",
            call -> expiry(call, call.now(), 1000))
        .read(
            "pttl 2 fast 2.6.0 Returns the time to live in milliseconds.",
            call -> expiry(call, call.now(), 1))
        .read(
            "expiretime 2 fast 7.0.0 Returns the expiry time in Unix seconds.",
            call -> expiry(call, 0, 1000))
        .read(
            "pexpiretime 2 fast 7.0.0 Returns the expiry time in Unix milliseconds.",
            call -> expiry(call, 0, 1))
        .write("persist 2 fast 2.2.0 Removes the expiry time of a key.", KeyCommands::persist)
        .write("rename 3 - 1.0.0 Renames a key.", "1 2 1", call -> rename(call, false))
        .write(
            "renamenx 3 fast 1.0.0 Renames a key if the new name does not exist.",
            "1 2 1",
            call -> rename(call, true))
        .commands();
  }

  /** Returns the memory usage of a key and its value, for MEMORY USAGE. */
  public static Reply usage(KeyCall call) {
    if (call.count() > 3 && (call.count() != 5 || !call.is(3, "samples"))) {
      throw new CommandException(CommandException.SYNTAX);
    }
    if (call.count() == 5 && call.integer(4) < 0) {
      throw new CommandException(CommandException.SYNTAX);
    }
    Value value = call.value(2);
    return value == null
        ? Reply.NULL
        : Reply.of(OVERHEAD + rounded(call.arg(2).length) + rounded(value.weight()));
  }

  private static long rounded(long bytes) {
    return (bytes + 7) & -8L;
  }

  private static Reply delete(KeyCall call) {
    long deleted = 0;
    for (int i = 1; i < call.count(); i++) {
      deleted += call.delete(i) ? 1 : 0;
    }
    return Reply.of(deleted);
  }

  private static Reply count(KeyCall call) {
    return Reply.of(IntStream.range(1, call.count()).filter(i -> call.value(i) != null).count());
  }

  private static Reply type(KeyCall call) {
    Value value = call.value(1);
    return Reply.status(value == null ? "none" : ValueTypes.name(value.type()));
  }

  private static Reply expire(KeyCall call, ExpireTime unit) {
    ExpireRule rule = ExpireRule.read(call, 3);
    long end = unit.any(call, call.integer(2));
    Value value = call.value(1);
    if (value == null || !rule.allows(value, end)) {
      return Reply.ZERO;
    }
    call.put(1, value.until(end));
    return Reply.ONE;
  }

  private static Reply expiry(KeyCall call, long base, int unit) {
    Value value = call.value(1);
    if (value == null) {
      return Reply.of(NO_KEY);
    }
    if (!value.expires()) {
      return Reply.of(NO_EXPIRY);
    }
    long left = Math.max(0, value.expiresAt() - base);
    return Reply.of(unit == 1 ? left : left / unit + (left % unit >= unit / 2 ? 1 : 0));
  }

  private static Reply persist(KeyCall call) {
    Value value = call.value(1);
    if (value == null || !value.expires()) {
      return Reply.ZERO;
    }
    call.put(1, value.until(Value.NEVER));
    return Reply.ONE;
  }

  private static Reply rename(KeyCall call, boolean onlyIfFree) {
    Value value = call.value(1);
    if (value == null) {
      throw new CommandException("ERR no such key");
    }
    if (onlyIfFree && call.value(2) != null) {
      return Reply.ZERO;
    }
    if (Arrays.equals(call.arg(1), call.arg(2))) {
      // Redis changes nothing then, so a WATCH of the key is not affected.
      return Reply.OK;
    }
    call.delete(1);
    call.put(2, value);
    return onlyIfFree ? Reply.ONE : Reply.OK;
  }
}
