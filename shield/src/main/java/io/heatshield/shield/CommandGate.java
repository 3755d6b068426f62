package io.heatshield.shield;

import io.heatshield.data.command.hot.Caller;
import io.heatshield.data.command.hot.HotContext;
import io.heatshield.guard.AbsenceCheck;
import io.heatshield.guard.AbsentKeys;
import io.heatshield.guard.WriteThrottle;
import io.heatshield.hash.KeyHash;
import io.heatshield.resp.RequestScanner;
import io.heatshield.runtime.telemetry.Tracing;
import io.heatshield.shield.ReplyEffects.OnReply;
import io.heatshield.shield.command.CommandKind;
import io.heatshield.shield.command.KeySpec;
import io.heatshield.shield.command.UpstreamCommand;
import io.heatshield.shield.reply.RespEncoder;
import io.opentelemetry.api.trace.Span;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Inspects every command of one client: counts its keys, answers it from memory or with a throttle
 * error where possible, and otherwise determines the effects of its reply. For the client's event
 * loop.
 */
final class CommandGate {
  private static final byte[] NULL_RESP2 = RespEncoder.ascii("$-1\r\n");
  private static final byte[] NULL_RESP3 = RespEncoder.ascii("_\r\n");

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

  // The current command, from its inspection until next().
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
    KeyProtection protection = shield.protection();
    this.hash = protection.hash();
    this.memory = protection.hotReplies();
    this.absentKeys = protection.absentKeys();
    this.throttle = protection.writeThrottle();
    this.invalidation = protection.invalidation();
    this.session = session;
    this.replies = replies;
    this.caller = caller;
  }

  /** Clears the state of the current command, which was answered or sent. */
  void next() {
    if (load != null) {
      // The GET was not sent.
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

  /** Counts the keys of a complete command, once, and answers it if possible. */
  boolean answer(RequestScanner words) {
    if (inspected) {
      return false;
    }
    inspected = true;
    UpstreamCommand found = shield.commands().find(words);
    command = found;
    if (found == null) {
      return false;
    }
    keys.find(found, words);
    long waitMillis = count(found, words);
    // A command of which a part was sent must be sent completely.
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

  /** Records that the command is sent now; returns the effects of its reply. */
  ReplyEffects send(RequestScanner words) {
    var read = new ReplyEffects.Read(readKey, load, absence);
    load = null;
    ReplyEffects effects =
        session.onSent(ReplyEffects.of(command, changes(words), read, context), words);
    invalidation.onSent(effects.changes());
    return effects.andThen(trace("upstream"));
  }

  /** Returns the command, or null if the upstream did not describe it. */
  @Nullable UpstreamCommand command() {
    return command;
  }

  /** Returns the command that a request names, or null if the upstream did not describe it. */
  @Nullable UpstreamCommand find(RequestScanner words) {
    return shield.commands().find(words);
  }

  /** Returns the positions of the command's keys. */
  KeySpec.Positions keys() {
    return keys;
  }

  /** Returns the reply from memory while the upstream is unavailable, or null. */
  byte @Nullable [] lastReply() {
    return readKey == null || !session.isStateless() ? null : memory.serveLast(readKey);
  }

  /** Counts the keys; returns the milliseconds until a throttled command may be retried, or 0. */
  private long count(UpstreamCommand found, RequestScanner words) {
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
      HotContext touched = shield.contexts().touch(caller, found.command(), keyHash, key, bytes);
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

  /** Returns the changes of the command when it is not part of a transaction. */
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

  /** Begins the span of the command, if it is traced; the returned action ends it. */
  private OnReply trace(String answeredBy) {
    Tracing tracing = shield.tracing();
    Span span = tracing == null || command == null ? null : tracing.command(command.name());
    return tracing == null || span == null
        ? OnReply.NOTHING
        : success -> tracing.endCommand(span, answeredBy, success);
  }
}
