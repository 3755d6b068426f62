package io.heatshield.shield;

import io.heatshield.data.command.hot.Caller;
import io.heatshield.data.command.hot.HotContext;
import io.heatshield.resp.RequestScanner;
import io.heatshield.runtime.telemetry.Tracing;
import io.opentelemetry.api.trace.Span;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every command of one client: counts its keys, and answers it here if memory can or the
 * clamp must. For the client's event loop.
 */
final class CommandGate {
  private static final byte[] ARRAY = {'*'};
  private static final byte[] NULL2 = ascii("$-1\r\n");
  private static final byte[] NULL3 = ascii("_\r\n");
  private static final byte[] LINE_END = {'\r', '\n'};

  private final Shield shield;
  private final ClientState state;
  private final Answers answers;
  private final Caller caller;
  private final Places places = new Places();
  private boolean looked;
  private boolean wasStreaming;
  private boolean missed;
  private boolean saidAbsent;
  private long absentHash;
  private @Nullable Known known;
  private @Nullable HotContext hot;
  private @Nullable HeldKey key;
  private List<byte[]> changed = List.of();
  private HotReads.@Nullable Flight flight;

  CommandGate(Shield shield, ClientState state, Answers answers, Caller caller) {
    this.shield = shield;
    this.state = state;
    this.answers = answers;
    this.caller = caller;
  }

  /** Forgets the command. */
  void next() {
    looked = false;
    missed = false;
    saidAbsent = false;
    known = null;
    hot = null;
    key = null;
    changed = List.of();
    flight = null;
  }

  /** Counts a command that is whole, once; answers it here if that is possible. */
  boolean answers(RequestScanner words) {
    if (looked) {
      return false;
    }
    looked = true;
    Known found = shield.table().find(words);
    known = found;
    if (found == null) {
      return false;
    }
    found.places(words, places);
    long wait = count(found, words);
    boolean free = !words.isPassed();
    if (wait > 0 && free) {
      spans(found, "throttle", false);
      byte[] refusal = Answers.line("THROTTLED key is hot, retry in " + wait + " ms");
      answers.local(refusal, true);
      if (hot != null) {
        hot.answered(refusal.length, true);
      }
      return true;
    }
    boolean answered =
        switch (found.effect()) {
          case GET ->
              free && places.size() == 1 && words.count() == 2 && (isAbsent(words) || get());
          case MGET -> free && places.size() > 0 && getAll(words);
          default -> false;
        };
    if (answered) {
      spans(found, "memory", true);
    }
    return answered;
  }

  /** Makes a span, if spans are made, of a command that is answered here. */
  private void spans(Known found, String answeredBy, boolean done) {
    Tracing tracing = shield.tracing();
    Span span = tracing == null ? null : tracing.command(found.command().name());
    if (tracing != null && span != null) {
      tracing.endCommand(span, answeredBy, done);
    }
  }

  /** Begins a span, if spans are made, of a command that the upstream answers. */
  private void spans(@Nullable Known found, Pending pending) {
    Tracing tracing = shield.tracing();
    Span span = tracing == null || found == null ? null : tracing.command(found.command().name());
    if (tracing != null && span != null) {
      Pending.Outcome before = pending.outcome;
      pending.outcome =
          done -> {
            tracing.endCommand(span, "upstream", done);
            if (before != null) {
              before.told(done);
            }
          };
    }
  }

  /** Returns what the upstream's answer will mean to the command, which is handed on now. */
  Pending pass(RequestScanner words) {
    wasStreaming = state.isStreaming();
    var pending = new Pending();
    Known found = known;
    pending.hot = hot;
    pending.changed = changed;
    pending.key = key;
    pending.flight = flight;
    pending.reads = found != null && found.effect() == Effect.GET;
    pending.blocking = found != null && found.blocking();
    boolean named = words.isKnown() && places.size() > 0 && !missed;
    pending.wipes = found != null && found.write() && !named;
    pending.saidAbsent = saidAbsent;
    pending.absentHash = absentHash;
    state.sent(found, words, pending);
    if (pending.scripted || pending.wipes) {
      pending.unclear = true;
      shield.absence().beginUnclear();
    }
    if (found != null && found.effect() == Effect.SETNAME && words.count() > 2) {
      naming(words.word(2), pending);
    } else if (found != null && found.effect() == Effect.HELLO) {
      for (int i = 2; i + 1 < words.count(); i++) {
        if (words.is(i, "setname")) {
          naming(words.word(i + 1), pending);
        }
      }
    }
    spans(found, pending);
    if (wasStreaming) {
      shield.changed(pending);
    }
    return pending;
  }

  /** Returns the command, or null if the upstream did not tell of it. */
  @Nullable Known known() {
    return known;
  }

  /** Returns the command that words begin, or null if the upstream did not tell of it. */
  @Nullable Known find(RequestScanner words) {
    return shield.table().find(words);
  }

  /** Returns where its keys are. */
  Places places() {
    return places;
  }

  /** Returns whether the upstream said what it liked before the command was handed on. */
  boolean wasStreaming() {
    return wasStreaming;
  }

  /** Returns what memory has to say while the upstream cannot be reached. */
  byte @Nullable [] last() {
    return key == null || !state.isStateless() ? null : shield.hotReads().last(key);
  }

  /** Returns the command that asks how long a key has to live. */
  static byte[] ttlOf(byte[] key) {
    var bytes = new ByteArrayOutputStream(key.length + 32);
    bytes.writeBytes(ascii("*2\r\n$4\r\nPTTL\r\n$" + key.length + "\r\n"));
    bytes.writeBytes(key);
    bytes.writeBytes(LINE_END);
    return bytes.toByteArray();
  }

  /** Puts down the uses of hot keys that were gathered, and sends what was answered. */
  void flush() {
    caller.settle();
    answers.flush();
  }

  /** Counts the keys; returns the milliseconds that a clamped command has to wait. */
  private long count(Known found, RequestScanner words) {
    long bytes = words.total();
    long wait = 0;
    boolean clamps = found.effect() != Effect.DELETE && !state.isMulti();
    boolean reads = found.effect() == Effect.GET && shield.hotReads().isOn();
    for (int i = 0; i < places.size(); i++) {
      byte[] word = words.word(places.place(i));
      if (word == null) {
        missed = true;
        continue;
      }
      long hashed = shield.hash(word);
      HotContext touched = shield.touch(caller, found, word, hashed, bytes);
      hot = touched == null ? hot : touched;
      if (places.isWrite(i)) {
        if (changed.isEmpty()) {
          changed = new ArrayList<>();
        }
        changed.add(word);
        shield.absence().add(hashed);
        wait = clamps ? Math.max(wait, shield.hotWrites().clamp(word, hashed)) : wait;
      } else if (reads) {
        key = new HeldKey(state.view(), word, hashed);
      }
    }
    return wait;
  }

  /** Answers a read of a key that is surely not there. */
  private boolean isAbsent(RequestScanner words) {
    Absence absence = shield.absence();
    byte[] word = absence.isOn() && state.seesAll() ? words.word(1) : null;
    if (word == null || !state.isPlain(shield.tracking())) {
      return false;
    }
    absentHash = shield.hash(word);
    if (!absence.says(absentHash)) {
      return false;
    }
    saidAbsent = !absence.answers(absentHash);
    if (!saidAbsent) {
      answer(state.isThird() ? NULL3 : NULL2);
    }
    return !saidAbsent;
  }

  private boolean get() {
    HeldKey wanted = key;
    if (wanted == null) {
      return false;
    }
    HotReads memory = shield.hotReads();
    boolean isHot = memory.touch(wanted);
    if (!state.isPlain(shield.tracking())) {
      key = null;
      return false;
    }
    byte[] kept = memory.serve(wanted);
    if (kept != null) {
      answer(kept);
      return true;
    }
    if (isHot && !memory.has(wanted)) {
      flight = memory.begin(wanted);
    }
    return false;
  }

  /** Answers a read of several keys if memory has all of them. */
  private boolean getAll(RequestScanner words) {
    HotReads memory = shield.hotReads();
    if (!memory.isEnforced() || !state.isPlain(shield.tracking())) {
      return false;
    }
    var held = new ArrayList<HeldKey>(places.size());
    for (int i = 0; i < places.size(); i++) {
      byte[] word = words.word(places.place(i));
      if (word == null) {
        return false;
      }
      var one = new HeldKey(state.view(), word, shield.hash(word));
      memory.touch(one);
      if (!memory.has(one)) {
        return false;
      }
      held.add(one);
    }
    var reply = new ByteArrayOutputStream();
    reply.writeBytes(ARRAY);
    reply.writeBytes(ascii(Integer.toString(held.size())));
    reply.writeBytes(LINE_END);
    for (HeldKey one : held) {
      byte[] kept = memory.serve(one);
      if (kept == null) {
        return false;
      }
      reply.writeBytes(kept);
    }
    answer(reply.toByteArray());
    return true;
  }

  private void answer(byte[] reply) {
    if (hot != null) {
      hot.answered(reply.length, false);
    }
    answers.local(reply, false);
  }

  private void naming(byte @Nullable [] name, Pending pending) {
    if (name != null && name.length <= 256) {
      String text = new String(name, StandardCharsets.UTF_8);
      Pending.Outcome before = pending.outcome;
      pending.outcome =
          done -> {
            if (before != null) {
              before.told(done);
            }
            if (done) {
              caller.name(text);
            }
          };
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
