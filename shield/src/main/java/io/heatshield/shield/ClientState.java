package io.heatshield.shield;

import io.heatshield.resp.RequestScanner;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client has made of its connection, as far as it matters to what may be answered from
 * memory. For the client's event loop.
 *
 * <p>Where it is not certain what the upstream thinks, nothing is answered from memory.
 */
final class ClientState {
  private static final int MAX_QUEUED_KEYS = 1024;
  private static final long NO_MARK = -1;
  private static final String NOBODY = "";

  private final HotReads memory;
  private String user = NOBODY;
  private int database;
  private int view;
  private int unsettled;
  private boolean third;
  private boolean multi;
  private boolean watching;
  private int watches;
  private boolean apart;
  private boolean streaming;
  private long mark = NO_MARK;
  private List<byte[]> queued = new ArrayList<>();
  private boolean queuedWipe;
  private boolean queuedScript;

  ClientState(HotReads memory) {
    this.memory = memory;
    this.view = memory.view(user, database);
  }

  /** Returns whether a read may be answered from memory now. */
  boolean isPlain(Tracking tracking) {
    if (!isStateless()) {
      return false;
    }
    if (mark != NO_MARK) {
      if (!tracking.hasPassed(mark)) {
        return false;
      }
      mark = NO_MARK;
    }
    return true;
  }

  /** Returns whether the upstream knows nothing of the client that matters to a read. */
  boolean isStateless() {
    return unsettled == 0 && !multi && !watching && !apart && !streaming && view >= 0;
  }

  /** Returns whether the client may read every key of database 0, which the filter knows. */
  boolean seesAll() {
    return database == 0 && (user.equals(NOBODY) || user.equals("default"));
  }

  /** Returns whether the client speaks RESP3. */
  boolean isThird() {
    return third;
  }

  int view() {
    return view;
  }

  boolean isMulti() {
    return multi;
  }

  /** Returns whether answers are no more told apart. */
  boolean isStreaming() {
    return streaming;
  }

  /** Takes note of a command that is handed on now, and of what its answer will mean. */
  void sent(@Nullable Known known, RequestScanner words, Pending pending) {
    if (known == null) {
      pending.scripted = true;
      pending.unsettles = true;
    } else {
      effect(known.effect(), words, pending);
    }
    if (multi && !pending.stream) {
      queue(pending);
    }
    boolean changes = pending.scripted || pending.wipes || !pending.changed.isEmpty();
    pending.unsettles |= changes || pending.outcome != null;
    if (pending.unsettles) {
      unsettled++;
    }
  }

  /** Takes note that a command is answered. */
  void answered(Pending pending, boolean done, Tracking tracking) {
    if (pending.unsettles) {
      unsettled--;
    }
    if (pending.scripted) {
      mark = tracking.mark();
    }
    if (pending.outcome != null) {
      pending.outcome.told(done);
    }
  }

  private void effect(Effect effect, RequestScanner words, Pending pending) {
    switch (effect) {
      case SCRIPT -> pending.scripted = true;
      case WIPE -> pending.wipes = true;
      case MULTI -> multi = true;
      case WATCH -> {
        watching = true;
        watches++;
      }
      case EXEC -> exec(pending);
      case UNWATCH -> pending.outcome = unwatched();
      case TRACKING -> apart = true;
      case STREAM -> {
        streaming = true;
        pending.stream = true;
      }
      case FAREWELL -> pending.farewell = true;
      case RESET -> {
        multi = false;
        Pending.Outcome unwatched = unwatched();
        pending.outcome =
            done -> {
              unwatched.told(done);
              reset();
            };
      }
      case SELECT, AUTH, HELLO -> {
        if (multi) {
          // Takes place later or not at all.
          apart = true;
        } else {
          pending.outcome = become(effect, words);
        }
      }
      default -> {
        // Nothing that lasts.
      }
    }
  }

  private Pending.Outcome become(Effect effect, RequestScanner words) {
    int number = effect == Effect.SELECT && words.count() > 1 ? words.number(1) : -1;
    int protocol = effect == Effect.HELLO && words.count() > 1 ? words.number(1) : -1;
    String name = effect == Effect.AUTH ? authUser(words) : helloUser(words);
    return done -> {
      if (done) {
        third = protocol < 0 ? third : protocol == 3;
        database = number >= 0 ? number : database;
        apart |= effect == Effect.SELECT && number < 0;
        user = effect == Effect.SELECT || name == null ? user : name;
        view = memory.view(user, database);
      }
    };
  }

  private static String authUser(RequestScanner words) {
    return words.count() > 2 ? text(words.word(1)) : "default";
  }

  private static @Nullable String helloUser(RequestScanner words) {
    for (int i = 2; i + 2 < words.count(); i++) {
      if (words.is(i, "auth")) {
        return text(words.word(i + 1));
      }
    }
    return null;
  }

  private void exec(Pending pending) {
    pending.changed = queued;
    pending.wipes = queuedWipe;
    pending.scripted = queuedScript;
    queued = new ArrayList<>();
    queuedWipe = false;
    queuedScript = false;
    multi = false;
    pending.unsettles = true;
    pending.outcome = unwatched();
  }

  /** Ends watching, unless it was begun anew in the meantime. */
  private Pending.Outcome unwatched() {
    int before = watches;
    return done -> watching &= watches != before;
  }

  /** What is said inside a transaction takes place at its end. */
  private void queue(Pending pending) {
    queued.addAll(pending.changed);
    queuedWipe |= pending.wipes || queued.size() > MAX_QUEUED_KEYS;
    queuedScript |= pending.scripted;
    if (queuedWipe) {
      queued.clear();
    }
    pending.changed = List.of();
    pending.wipes = false;
    pending.scripted = false;
  }

  private void reset() {
    user = NOBODY;
    database = 0;
    third = false;
    queued.clear();
    view = memory.view(user, database);
  }

  private static String text(byte @Nullable [] word) {
    return word == null ? "?" : new String(word, StandardCharsets.UTF_8);
  }
}
