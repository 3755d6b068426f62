package io.heatshield.data.command;

import io.heatshield.resp.Reply;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.InlinePath;
import io.heatshield.store.engine.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The commands on strings, as Redis 7 answers them. */
final class StringCommands {
  private static final Reply EMPTY_BULK = Reply.bulk("");

  private StringCommands() {}

  static List<Command> all() {
    return List.of(
        Command.onKeys(
            "get 2 readonly,fast 1 1 1 string 1.0.0 Returns the string value of a key.",
            call -> bulkOrNull(call.string(1)),
            StringCommands::getAlone),
        Command.onKeys(
            "set -3 write,denyoom 1 1 1 string 1.0.0 Sets the string value of a key.",
            StringCommands::set,
            StringCommands::setAlone),
        Command.onKeys(
            "setex 4 write,denyoom 1 1 1 string 2.0.0 Sets the value and the seconds it lasts.",
            call -> setFor(call, ExpireTime.EX)),
        Command.onKeys(
            "psetex 4 write,denyoom 1 1 1 string 2.6.0 Sets the value and the milliseconds it"
                + " lasts.",
            call -> setFor(call, ExpireTime.PX)),
        Command.onKeys(
            "setnx 3 write,denyoom,fast 1 1 1 string 1.0.0 Sets the value if there is none.",
            StringCommands::setIfAbsent),
        Command.onKeys(
            "getset 3 write,denyoom,fast 1 1 1 string 1.0.0 Sets the value and returns the old"
                + " one.",
            StringCommands::getSet),
        Command.onKeys(
            "getdel 2 write,fast 1 1 1 string 6.2.0 Returns the value and deletes the key.",
            StringCommands::getDelete),
        Command.onKeys(
            "getex -2 write,fast 1 1 1 string 6.2.0 Returns the value and sets when it ends.",
            StringCommands::getExpire),
        Command.onKeys(
            "mget -2 readonly,fast 1 -1 1 string 1.0.0 Returns the values of several keys.",
            StringCommands::getMany),
        Command.onKeys(
            "mset -3 write,denyoom 1 -1 2 string 1.0.1 Sets several keys at once.",
            call -> setMany(call, false)),
        Command.onKeys(
            "msetnx -3 write,denyoom 1 -1 2 string 1.0.1 Sets several keys if none of them exists.",
            call -> setMany(call, true)),
        Command.onKeys(
            "append 3 write,denyoom,fast 1 1 1 string 2.0.0 Appends to a value.",
            StringCommands::append),
        Command.onKeys(
            "strlen 2 readonly,fast 1 1 1 string 2.2.0 Returns the length of a value.",
            call -> Reply.of((long) length(call.string(1)))),
        Command.onKeys(
            "setrange 4 write,denyoom 1 1 1 string 2.2.0 Overwrites a part of a value.",
            StringCommands::setRange),
        Command.onKeys(
            "getrange 4 readonly 1 1 1 string 2.4.0 Returns a part of a value.",
            StringCommands::getRange),
        Command.onKeys(
            "substr 4 readonly 1 1 1 string 1.0.0 Returns a part of a value; an old name of"
                + " GETRANGE.",
            StringCommands::getRange),
        Command.onKeys(
            "incr 2 write,denyoom,fast 1 1 1 string 1.0.0 Adds one to a whole number.",
            call -> increment(call, 1)),
        Command.onKeys(
            "decr 2 write,denyoom,fast 1 1 1 string 1.0.0 Takes one from a whole number.",
            call -> increment(call, -1)),
        Command.onKeys(
            "incrby 3 write,denyoom,fast 1 1 1 string 1.0.0 Adds to a whole number.",
            call -> increment(call, call.integer(2))),
        Command.onKeys(
            "decrby 3 write,denyoom,fast 1 1 1 string 1.0.0 Takes from a whole number.",
            StringCommands::decrementBy),
        Command.onKeys(
            "incrbyfloat 3 write,denyoom,fast 1 1 1 string 2.6.0 Adds to a number.",
            StringCommands::incrementFloat));
  }

  private static CompletableFuture<Reply> getAlone(Call call) {
    GuardedStore store = call.store().store();
    InlinePath inline = store.inline().orElse(null);
    return inline != null
        ? Stages.now(got(call, inline.get(call.word(1), call.hash())))
        : Stages.map(store.get(call.word(1), call.hash()), value -> got(call, value));
  }

  /** Puts without looking first, which a plain SET does not need to. */
  private static @Nullable CompletableFuture<Reply> setAlone(Call call) {
    if (call.count() != 3) {
      return null;
    }
    GuardedStore store = call.store().store();
    InlinePath inline = store.inline().orElse(null);
    if (inline != null) {
      long wait = inline.set(call.word(1), call.hash(), call.word(2));
      return wait == 0 ? Stages.OK : Stages.now(Stages.throttled(wait));
    }
    return Stages.map(
        store.put(call.word(1), call.hash(), call.word(2)),
        written -> Stages.reply(written, Reply.OK));
  }

  private static Reply set(KeyCall call) {
    SetOptions options = SetOptions.read(call, 3, true);
    ExpireTime unit = options.unit;
    long end = unit == null ? Value.NEVER : unit.positive(call, call.integer(options.amountAt));
    Value before = options.get ? call.string(1) : call.value(1);
    boolean stopped = (options.ifAbsent && before != null) || (options.ifPresent && before == null);
    if (!stopped) {
      long kept = options.keepTtl && before != null ? before.expiresAt() : end;
      call.put(1, Value.of(call.word(2)).until(kept));
    }
    if (options.get) {
      return bulkOrNull(before);
    }
    return stopped ? Reply.NULL : Reply.OK;
  }

  private static Reply setFor(KeyCall call, ExpireTime unit) {
    long end = unit.positive(call, call.integer(2));
    call.put(1, Value.of(call.word(3)).until(end));
    return Reply.OK;
  }

  private static Reply setIfAbsent(KeyCall call) {
    if (call.value(1) != null) {
      return Reply.ZERO;
    }
    call.put(1, Value.of(call.word(2)));
    return Reply.ONE;
  }

  private static Reply getSet(KeyCall call) {
    Value before = call.string(1);
    call.put(1, Value.of(call.word(2)));
    return bulkOrNull(before);
  }

  private static Reply getDelete(KeyCall call) {
    Value before = call.string(1);
    if (before != null) {
      call.view().delete(call.word(1));
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
      call.put(i, Value.of(call.word(i + 1)));
    }
    return onlyIfNone ? Reply.ONE : Reply.OK;
  }

  private static Reply append(KeyCall call) {
    Value before = call.string(1);
    byte[] more = call.word(2);
    if (before == null) {
      call.put(1, Value.of(more));
      return Reply.of((long) more.length);
    }
    int length = before.bytes().length;
    call.checkLength((long) length + more.length);
    byte[] joined = Arrays.copyOf(before.bytes(), length + more.length);
    System.arraycopy(more, 0, joined, length, more.length);
    call.keep(1, before, joined);
    return Reply.of((long) joined.length);
  }

  private static Reply setRange(KeyCall call) {
    long offset = call.integer(2);
    if (offset < 0) {
      throw new Refused("ERR offset is out of range");
    }
    byte[] part = call.word(3);
    Value before = call.string(1);
    if (part.length == 0) {
      return Reply.of((long) length(before));
    }
    if (offset > Integer.MAX_VALUE) {
      call.checkLength(Long.MAX_VALUE);
    }
    call.checkLength(offset + part.length);
    byte[] old = before == null ? new byte[0] : before.bytes();
    byte[] joined = Arrays.copyOf(old, Math.max(old.length, (int) offset + part.length));
    System.arraycopy(part, 0, joined, (int) offset, part.length);
    call.keep(1, before, joined);
    return Reply.of((long) joined.length);
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
    long number = before == null ? 0 : Words.integer(before.bytes());
    long sum = number + delta;
    if (((number ^ sum) & (delta ^ sum)) < 0) {
      throw new Refused("ERR increment or decrement would overflow");
    }
    call.keep(1, before, Words.bytes(sum));
    return Reply.of(sum);
  }

  private static Reply decrementBy(KeyCall call) {
    long amount = call.integer(2);
    if (amount == Long.MIN_VALUE) {
      throw new Refused("ERR decrement would overflow");
    }
    return increment(call, -amount);
  }

  private static Reply incrementFloat(KeyCall call) {
    Value before = call.string(1);
    byte[] zero = {'0'};
    byte[] sum = LongDouble.sum(before == null ? zero : before.bytes(), call.word(2));
    call.keep(1, before, sum);
    return Reply.bulk(sum);
  }

  private static int length(@Nullable Value value) {
    return value == null ? 0 : value.bytes().length;
  }

  /** Returns the answer to a GET, and puts down that it found nothing. */
  private static Reply got(Call call, @Nullable Value value) {
    if (value == null) {
      call.session().missed();
    }
    return value != null && value.type() != Value.STRING
        ? Reply.error(Refused.WRONG_TYPE)
        : bulkOrNull(value);
  }

  private static Reply bulkOrNull(@Nullable Value value) {
    return value == null ? Reply.NULL : Reply.bulk(value.bytes());
  }
}
