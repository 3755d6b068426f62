package io.heatshield.data.command.keys;

import io.heatshield.data.command.ArgumentParser;
import io.heatshield.data.command.Call;
import io.heatshield.data.command.Command;
import io.heatshield.data.command.CommandException;
import io.heatshield.data.command.CommandGroup;
import io.heatshield.data.command.KeyCall;
import io.heatshield.data.command.Replies;
import io.heatshield.resp.Reply;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.InlinePath;
import io.heatshield.store.engine.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The commands on strings, with the replies of Redis 7. */
public final class StringCommands {
  private static final Reply EMPTY_BULK = Reply.bulk("");

  private StringCommands() {}

  public static List<Command> all() {
    return new CommandGroup("string")
        .onKey(
            "get 2 fast 1.0.0 Returns the string value of a key.",
            "readonly",
            call -> bulkOrNull(call.string(1)),
            StringCommands::getAlone)
        .onKey(
            "set -3 denyoom 1.0.0 Sets the string value of a key.",
            "write",
            StringCommands::set,
            StringCommands::setAlone)
        .write(
            "setex 4 denyoom 2.0.0 Sets the value and the time to live in seconds.",
            call -> setExpiring(call, ExpireTime.EX))
        .write(
            "psetex 4 denyoom 2.6.0 Sets the value and the time to live in milliseconds.",
            call -> setExpiring(call, ExpireTime.PX))
        .write(
            "setnx 3 denyoom,fast 1.0.0 Sets the value if the key does not exist.",
            StringCommands::setIfAbsent)
        .write(
            "getset 3 denyoom,fast 1.0.0 Sets the value and returns the old one.",
            StringCommands::getSet)
        .write(
            "getdel 2 fast 6.2.0 Returns the value and deletes the key.", StringCommands::getDelete)
        .write(
            "getex -2 fast 6.2.0 Returns the value and sets its time to live.",
            StringCommands::getExpire)
        .read(
            "mget -2 fast 1.0.0 Returns the values of several keys.",
            "1 -1 1",
            StringCommands::getMany)
        .write(
            "mset -3 denyoom 1.0.1 Sets several keys atomically.",
            "1 -1 2",
            call -> setMany(call, false))
        .write(
            "msetnx -3 denyoom 1.0.1 Sets several keys if none of them exists.",
            "1 -1 2",
            call -> setMany(call, true))
        .write("append 3 denyoom,fast 2.0.0 Appends to the value.", StringCommands::append)
        .read(
            "strlen 2 fast 2.2.0 Returns the length of the value.",
            call -> Reply.of(length(call.string(1))))
        .write("setrange 4 denyoom 2.2.0 Overwrites a part of the value.", StringCommands::setRange)
        .read("getrange 4 - 2.4.0 Returns a part of the value.", StringCommands::getRange)
        .read("substr 4 - 1.0.0 Returns a part of the value.", StringCommands::getRange)
        .write("incr 2 denyoom,fast 1.0.0 Adds one to an integer.", call -> increment(call, 1))
        .write(
            "decr 2 denyoom,fast 1.0.0 Subtracts one from an integer.", call -> increment(call, -1))
        .write(
            "incrby 3 denyoom,fast 1.0.0 Adds to an integer.",
            call -> increment(call, call.integer(2)))
        .write(
            "decrby 3 denyoom,fast 1.0.0 Subtracts from an integer.", StringCommands::decrementBy)
        .write("incrbyfloat 3 denyoom,fast 2.6.0 Adds to a number.", StringCommands::incrementFloat)
        .commands();
  }

  private static CompletableFuture<Reply> getAlone(Call call) {
    GuardedStore store = call.store().store();
    InlinePath inline = store.inline().orElse(null);
    return inline != null
        ? Replies.now(found(call, inline.get(call.arg(1), call.hash())))
        : Replies.map(store.get(call.arg(1), call.hash()), value -> found(call, value));
  }

  /** Sets the value without reading it first, if there are no options. */
  private static @Nullable CompletableFuture<Reply> setAlone(Call call) {
    if (call.count() != 3) {
      return null;
    }
    GuardedStore store = call.store().store();
    InlinePath inline = store.inline().orElse(null);
    if (inline != null) {
      long wait = inline.set(call.arg(1), call.hash(), call.arg(2));
      return wait == 0 ? Replies.OK : Replies.now(Replies.throttled(wait));
    }
    return Replies.map(
        store.put(call.arg(1), call.hash(), call.arg(2)),
        written ->
            written.isThrottled() ? Replies.throttled(written.retryAfterMillis()) : Reply.OK);
  }

  private static Reply set(KeyCall call) {
    SetOptions options = SetOptions.read(call, 3, true);
    ExpireTime unit = options.unit;
    long end = unit == null ? Value.NEVER : unit.positive(call, call.integer(options.amountAt));
    Value before = options.get ? call.string(1) : call.value(1);
    boolean stopped = (options.ifAbsent && before != null) || (options.ifPresent && before == null);
    if (!stopped) {
      long kept = options.keepTtl && before != null ? before.expiresAt() : end;
      call.put(1, Value.of(call.arg(2)).until(kept));
    }
    if (options.get) {
      return bulkOrNull(before);
    }
    return stopped ? Reply.NULL : Reply.OK;
  }

  private static Reply setExpiring(KeyCall call, ExpireTime unit) {
    long end = unit.positive(call, call.integer(2));
    call.put(1, Value.of(call.arg(3)).until(end));
    return Reply.OK;
  }

  private static Reply setIfAbsent(KeyCall call) {
    if (call.value(1) != null) {
      return Reply.ZERO;
    }
    call.put(1, Value.of(call.arg(2)));
    return Reply.ONE;
  }

  private static Reply getSet(KeyCall call) {
    Value before = call.string(1);
    call.put(1, Value.of(call.arg(2)));
    return bulkOrNull(before);
  }

  private static Reply getDelete(KeyCall call) {
    Value before = call.string(1);
    if (before != null) {
      call.delete(1);
    }
    return bulkOrNull(before);
  }

  private static Reply getExpire(KeyCall call) {
    SetOptions options = SetOptions.read(call, 2, false);
    Value value = call.string(1);
    if (value == null) {
      return Reply.NULL;
    }
    ExpireTime unit = options.unit;
    if (unit != null) {
      call.put(1, value.until(unit.positive(call, call.integer(options.amountAt))));
    } else if (options.persist && value.expires()) {
      call.put(1, value.until(Value.NEVER));
    }
    return Reply.bulk(value.bytes());
  }

  private static Reply getMany(KeyCall call) {
    var values = new ArrayList<Reply>(call.count() - 1);
    for (int i = 1; i < call.count(); i++) {
      Value value = call.value(i);
      values.add(value == null || value.type() != Value.STRING ? Reply.NULL : bulkOrNull(value));
    }
    return Reply.array(values);
  }

  private static Reply setMany(KeyCall call, boolean onlyIfNone) {
    if (call.count() % 2 == 0) {
      throw call.wrongCount();
    }
    for (int i = 1; onlyIfNone && i < call.count(); i += 2) {
      if (call.value(i) != null) {
        return Reply.ZERO;
      }
    }
    for (int i = 1; i < call.count(); i += 2) {
      call.put(i, Value.of(call.arg(i + 1)));
    }
    return onlyIfNone ? Reply.ONE : Reply.OK;
  }

  private static Reply append(KeyCall call) {
    Value before = call.string(1);
    byte[] more = call.arg(2);
    if (before == null) {
      call.put(1, Value.of(more));
      return Reply.of(more.length);
    }
    int length = before.bytes().length;
    call.checkLength((long) length + more.length);
    byte[] joined = Arrays.copyOf(before.bytes(), length + more.length);
    System.arraycopy(more, 0, joined, length, more.length);
    call.put(1, before, joined);
    return Reply.of(joined.length);
  }

  private static Reply setRange(KeyCall call) {
    long offset = call.integer(2);
    if (offset < 0) {
      throw new CommandException("ERR offset is out of range");
    }
    byte[] part = call.arg(3);
    Value before = call.string(1);
    if (part.length == 0) {
      return Reply.of(length(before));
    }
    call.checkLength(offset > Integer.MAX_VALUE ? offset : offset + part.length);
    byte[] old = before == null ? new byte[0] : before.bytes();
    byte[] joined = Arrays.copyOf(old, Math.max(old.length, (int) offset + part.length));
    System.arraycopy(part, 0, joined, (int) offset, part.length);
    call.put(1, before, joined);
    return Reply.of(joined.length);
  }

  private static Reply getRange(KeyCall call) {
    long start = call.integer(2);
    long end = call.integer(3);
    Value value = call.string(1);
    if (value == null || (start < 0 && end < 0 && start > end)) {
      return EMPTY_BULK;
    }
    int length = value.bytes().length;
    long from = Math.max(0, start < 0 ? length + start : start);
    long to = Math.min(length - 1L, Math.max(0, end < 0 ? length + end : end));
    return from > to || length == 0
        ? EMPTY_BULK
        : Reply.bulk(Arrays.copyOfRange(value.bytes(), (int) from, (int) to + 1));
  }

  private static Reply increment(KeyCall call, long delta) {
    Value before = call.string(1);
    long number = before == null ? 0 : ArgumentParser.integer(before.bytes());
    long sum = number + delta;
    if (((number ^ sum) & (delta ^ sum)) < 0) {
      throw new CommandException("ERR increment or decrement would overflow");
    }
    call.put(1, before, Long.toString(sum).getBytes(StandardCharsets.US_ASCII));
    return Reply.of(sum);
  }

  private static Reply decrementBy(KeyCall call) {
    long amount = call.integer(2);
    if (amount == Long.MIN_VALUE) {
      throw new CommandException("ERR decrement would overflow");
    }
    return increment(call, -amount);
  }

  private static Reply incrementFloat(KeyCall call) {
    Value before = call.string(1);
    byte[] zero = {'0'};
    byte[] sum = LongDouble.sum(before == null ? zero : before.bytes(), call.arg(2));
    call.put(1, before, sum);
    return Reply.bulk(sum);
  }

  private static int length(@Nullable Value value) {
    return value == null ? 0 : value.bytes().length;
  }

  /** Returns the reply to a GET, and records a miss. */
  private static Reply found(Call call, @Nullable Value value) {
    if (value == null) {
      call.session().missed();
    }
    return value != null && value.type() != Value.STRING
        ? Reply.error(CommandException.WRONG_TYPE)
        : bulkOrNull(value);
  }

  private static Reply bulkOrNull(@Nullable Value value) {
    return value == null ? Reply.NULL : Reply.bulk(value.bytes());
  }
}
