package io.heatshield.data.command;

import io.heatshield.resp.Reply;
import io.heatshield.store.engine.Value;
import java.util.Arrays;
import java.util.List;

/** The commands on keys whatever they hold, as Redis 7 answers them. */
final class KeyCommands {
  private static final long NONE = -1;
  private static final long ABSENT = -2;
  // What a key costs beside its bytes, in the memory engine.
  private static final int OVERHEAD = 136;

  private KeyCommands() {}

  static List<Command> all() {
    return List.of(
        Command.onKeys("del -2 write 1 -1 1 generic 1.0.0 Deletes keys.", KeyCommands::delete),
        Command.onKeys(
            "unlink -2 write,fast 1 -1 1 generic 4.0.0 Deletes keys.", KeyCommands::delete),
        Command.onKeys(
            "exists -2 readonly,fast 1 -1 1 generic 1.0.0 Counts the keys that exist.",
            KeyCommands::count),
        Command.onKeys(
            "touch -2 readonly,fast 1 -1 1 generic 3.2.1 Counts the keys that exist.",
            KeyCommands::count),
        Command.onKeys(
            "type 2 readonly,fast 1 1 1 generic 1.0.0 Returns the type of a key.",
            call -> Reply.status(ValueTypes.name(call.value(1)))),
        expire("expire", ExpireTime.EX, "1.0.0 Sets the seconds until a key ends."),
        expire("pexpire", ExpireTime.PX, "2.6.0 Sets the milliseconds until a key ends."),
        expire("expireat", ExpireTime.EXAT, "1.2.0 Sets the Unix second that a key ends at."),
        expire("pexpireat", ExpireTime.PXAT, "2.6.0 Sets the Unix millisecond that a key ends at."),
        Command.onKeys(
            "ttl 2 readonly,fast 1 1 1 generic 1.0.0 Returns the seconds until a key ends.",
            call -> end(call, call.now(), 1000)),
        Command.onKeys(
            "pttl 2 readonly,fast 1 1 1 generic 2.6.0 Returns the milliseconds until a key ends.",
            call -> end(call, call.now(), 1)),
        Command.onKeys(
            "expiretime 2 readonly,fast 1 1 1 generic 7.0.0 Returns the Unix second that a key ends at.",
            call -> end(call, 0, 1000)),
        Command.onKeys(
            "pexpiretime 2 readonly,fast 1 1 1 generic 7.0.0 Returns the Unix millisecond that a key ends at.",
            call -> end(call, 0, 1)),
        Command.onKeys(
            "persist 2 write,fast 1 1 1 generic 2.2.0 Takes the end away from a key.",
            KeyCommands::persist),
        Command.onKeys(
            "rename 3 write 1 2 1 generic 1.0.0 Gives a key another name.",
            call -> rename(call, false)),
        Command.onKeys(
            "renamenx 3 write,fast 1 2 1 generic 1.0.0 Gives a key another name if that is free.",
            call -> rename(call, true)));
  }

  /** Returns what a key and its value take, for MEMORY USAGE. */
  static Reply usage(KeyCall call) {
    if (call.count() > 3 && (call.count() != 5 || !call.is(3, "samples"))) {
      throw new Refused(Refused.SYNTAX);
    }
    if (call.count() == 5 && call.integer(4) < 0) {
      throw new Refused(Refused.SYNTAX);
    }
    Value value = call.value(2);
    return value == null
        ? Reply.NULL
        : Reply.of(OVERHEAD + rounded(call.word(2).length) + rounded(value.weight()));
  }

  private static long rounded(long bytes) {
    return (bytes + 7) & -8L;
  }

  private static Command expire(String name, ExpireTime unit, String rest) {
    return Command.onKeys(
        name + " -3 write,fast 1 1 1 generic " + rest, call -> expire(call, unit));
  }

  private static Reply delete(KeyCall call) {
    long deleted = 0;
    for (int i = 1; i < call.count(); i++) {
      if (call.view().delete(call.word(i))) {
        deleted++;
      }
    }
    return Reply.of(deleted);
  }

  private static Reply count(KeyCall call) {
    long found = 0;
    for (int i = 1; i < call.count(); i++) {
      if (call.value(i) != null) {
        found++;
      }
    }
    return Reply.of(found);
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

  private static Reply end(KeyCall call, long base, int unit) {
    Value value = call.value(1);
    if (value == null) {
      return Reply.of(ABSENT);
    }
    if (!value.expires()) {
      return Reply.of(NONE);
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
      throw new Refused("ERR no such key");
    }
    if (onlyIfFree && call.value(2) != null) {
      return Reply.ZERO;
    }
    if (Arrays.equals(call.word(1), call.word(2))) {
      // Redis changes nothing then, and who watches the key is not disturbed.
      return Reply.OK;
    }
    call.view().delete(call.word(1));
    call.put(2, value);
    return onlyIfFree ? Reply.ONE : Reply.OK;
  }
}
