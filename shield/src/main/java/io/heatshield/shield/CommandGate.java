package io.heatshield.shield;

import io.heatshield.data.command.hot.Caller;
import io.heatshield.data.command.hot.HotContext;
import io.heatshield.data.command.hot.HotContexts;
import io.heatshield.guard.AbsenceCheck;
import io.heatshield.guard.AbsentKeys;
import io.heatshield.guard.WriteThrottle;
import io.heatshield.hash.KeyHash;
import io.heatshield.resp.RequestScanner;
import io.heatshield.runtime.telemetry.Tracing;
import io.heatshield.shield.ReplyEffects.OnReply;
import io.opentelemetry.api.trace.Span;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Inspects every command of one client: counts its keys, answers it if memory can or the throttle
 * must, and otherwise says what its reply will mean. For the client's event loop.
 */
final class CommandGate {
  private static final byte[] NULL_RESP2 = RespEncoder.ascii("$-1\r\n");
  private static final byte[] NULL_RESP3 = RespEncoder.ascii("_\r\n");
  private static final int MAX_CLIENT_NAME = 256;

  private final Shield shield;
  private final KeyHash hash;
  private final HotReplies memory;
  private final AbsentKeys absentKeys;
  private final WriteThrottle throttle;
  private final Invalidation invalidation;
  private final ClientSession session;
  private final ReplyQueue replies;
  private final Caller caller;
  private final KeySpec.Positions keys = new KeySpec.Positions();

  // The present command, from its inspection until next().
  private boolean inspected;
  private @Nullable UpstreamCommand command;
  private boolean missesKeys;
  private List<byte[]> written = List.of();
  private AbsenceCheck absence = AbsenceCheck.NONE;
  private HotReplies.@Nullable ViewKey readKey;
  private HotReplies.@Nullable ReplyLoad load;
  private @Nullable HotContext context;

  CommandGate(Shield shield, ClientSession session, ReplyQueue replies, Caller caller) {
    this.shield = shield;
    this.hash = shield.hash();
    this.memory = shield.hotReplies();
    this.absentKeys = shield.absentKeys();
    this.throttle = shield.writeThrottle();
    this.invalidation = shield.invalidation();
    this.session = session;
    this.replies = replies;
    this.caller = caller;
  }

  /** Forgets the command, which was answered or sent. */
  void next() {
    if (load != null) {
      // Nobody was asked.
      memory.abandon(load);
      load = null;
    }
    inspected = false;
    command = null;
    missesKeys = false;
    written = List.of();
    absence = AbsenceCheck.NONE;
    readKey = null;
    context = null;
  }

  /** Counts the keys of a command that is complete, once, and answers it if possible. */
  boolean answer(RequestScanner words) {
    if (inspected) {
      return false;
    }
    inspected = true;
    Shield.Learned learned = shield.learned();
    UpstreamCommand found = learned.table().find(words);
    command = found;
    if (found == null) {
      return false;
    }
    found.findKeys(words, keys);
    long waitMillis = count(found, words, learned.contexts());
    // A command of which a part was sent must be sent to its end.
    boolean answerable = !words.isPassed();
    if (waitMillis > 0 && answerable) {
      trace("throttle").accept(false);
      byte[] refusal = RespEncoder.error("THROTTLED key is hot, retry in " + waitMillis + " ms");
      answer(refusal, true);
      return true;
    }
    boolean answered =
        answerable
            && switch (found.kind()) {
              case GET -> keys.size() == 1 && words.count() == 2 && (isAbsent(words) || get());
              case MGET -> keys.size() > 0 && getAll(words);
              default -> false;
            };
    if (answered) {
      trace("memory").accept(true);
    }
    return answered;
  }

  /** Returns what the reply to the command will mean, which is sent now. */
  ReplyEffects send(RequestScanner words) {
    var read = new ReplyEffects.Read(readKey, load, absence);
    load = null;
    ReplyEffects effects =
        session.onSent(ReplyEffects.of(command, changes(words), read, context), words);
    invalidation.onSent(effects.changes());
    return effects.andThen(rename(words)).andThen(trace("upstream"));
  }

  /** Returns the command, or null if the upstream did not describe it. */
  @Nullable UpstreamCommand command() {
    return command;
  }

  /** Returns the command that these words begin, or null if the upstream did not describe it. */
  @Nullable UpstreamCommand find(RequestScanner words) {
    return shield.learned().table().find(words);
  }

  /** Returns where the keys of the command are. */
  KeySpec.Positions keys() {
    return keys;
  }

  /** Returns what memory answers while the upstream is unavailable, or null. */
  byte @Nullable [] lastReply() {
    return readKey == null || !session.isStateless() ? null : memory.serveLast(readKey);
  }

  /** Counts the keys; returns the milliseconds that a throttled command has to wait, or 0. */
  private long count(UpstreamCommand found, RequestScanner words, HotContexts contexts) {
    long bytes = words.total();
    long wait = 0;
    boolean throttles = found.kind() != CommandKind.DELETE && !session.isInTransaction();
    boolean reads = found.kind() == CommandKind.GET && memory.isOn();
    for (int i = 0; i < keys.size(); i++) {
      byte[] key = words.word(keys.position(i));
      if (key == null) {
        missesKeys = true;
        continue;
      }
      long keyHash = hash.hash(key);
      HotContext touched = contexts.touch(caller, found.command(), keyHash, key, bytes);
      context = touched == null ? context : touched;
      if (keys.isWrite(i)) {
        if (written.isEmpty()) {
          written = new ArrayList<>();
        }
        written.add(key);
        invalidation.beforeWrite(keyHash);
        wait = throttles ? Math.max(wait, throttle.tryWrite(key, keyHash)) : wait;
      } else if (reads) {
        readKey = new HotReplies.ViewKey(session.view(), key, keyHash);
      }
    }
    return wait;
  }

  /** Returns what the command may change, outside a transaction. */
  private Invalidation.Changes changes(RequestScanner words) {
    UpstreamCommand found = command;
    if (found == null) {
      return new Invalidation.Changes(List.of(), false, true);
    }
    boolean named = words.isKnown() && keys.size() > 0 && !missesKeys;
    boolean all = found.kind() == CommandKind.ALL_KEYS || (found.isWrite() && !named);
    return new Invalidation.Changes(written, all, found.kind() == CommandKind.SCRIPT);
  }

  /** Answers a GET of a key that is known to be absent. */
  private boolean isAbsent(RequestScanner words) {
    byte[] key =
        absentKeys.isOn() && session.seesAllKeys() && session.mayReadMemory()
            ? words.word(1)
            : null;
    if (key == null) {
      return false;
    }
    absence = absentKeys.check(hash.hash(key));
    if (absence.isAnswered()) {
      answer(session.isResp3() ? NULL_RESP3 : NULL_RESP2, false);
    }
    return absence.isAnswered();
  }

  /** Answers a GET from memory, or begins a load if the key is hot. */
  private boolean get() {
    HotReplies.ViewKey key = readKey;
    if (key == null) {
      return false;
    }
    boolean isHot = memory.touch(key);
    if (!session.mayReadMemory()) {
      readKey = null;
      return false;
    }
    byte[] kept = memory.serve(key);
    if (kept != null) {
      answer(kept, false);
      return true;
    }
    if (isHot && !memory.contains(key)) {
      load = memory.begin(key);
    }
    return false;
  }

  /** Answers an MGET if memory has all of its keys. */
  private boolean getAll(RequestScanner words) {
    if (!memory.isEnforced() || !session.mayReadMemory()) {
      return false;
    }
    var wanted = new ArrayList<HotReplies.ViewKey>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      byte[] bytes = words.word(keys.position(i));
      if (bytes == null) {
        return false;
      }
      var key = new HotReplies.ViewKey(session.view(), bytes, hash.hash(bytes));
      memory.touch(key);
      if (!memory.contains(key)) {
        return false;
      }
      wanted.add(key);
    }
    var reply = new ByteArrayOutputStream();
    reply.writeBytes(RespEncoder.ascii("*" + wanted.size() + "\r\n"));
    for (HotReplies.ViewKey key : wanted) {
      byte[] kept = memory.serve(key);
      if (kept == null) {
        return false;
      }
      reply.writeBytes(kept);
    }
    answer(reply.toByteArray(), false);
    return true;
  }

  private void answer(byte[] reply, boolean throttled) {
    if (context != null) {
      context.answered(reply.length, throttled);
    }
    replies.addLocal(reply, throttled);
  }

  /** Returns what gives the client its name in the statistics, if the command does so. */
  private OnReply rename(RequestScanner words) {
    byte[] name = null;
    if (command != null && command.kind() == CommandKind.SETNAME && words.count() > 2) {
      name = words.word(2);
    } else if (command != null && command.kind() == CommandKind.HELLO) {
      for (int i = 2; i + 1 < words.count(); i++) {
        name = words.is(i, "setname") ? words.word(i + 1) : name;
      }
    }
    if (name == null || name.length > MAX_CLIENT_NAME) {
      return OnReply.NOTHING;
    }
    String text = new String(name, StandardCharsets.UTF_8);
    return success -> {
      if (success) {
        caller.name(text);
      }
    };
  }

  /** Begins the span of the command, if it is traced; returns what ends it. */
  private OnReply trace(String answeredBy) {
    Tracing tracing = shield.tracing();
    Span span =
        tracing == null || command == null ? null : tracing.command(command.command().name());
    return tracing == null || span == null
        ? OnReply.NOTHING
        : success -> tracing.endCommand(span, answeredBy, success);
  }
}
