package io.heatshield.shield;

import io.heatshield.data.command.hot.Caller;
import io.heatshield.guard.ChangeFeed;
import io.heatshield.resp.RequestScanner;
import io.heatshield.shield.ReplyEffects.OnReply;
import io.heatshield.shield.command.CommandKind;
import io.heatshield.shield.command.UpstreamCommand;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The state that the upstream holds for one client's connection, as far as it decides what may be
 * answered from memory: user, database, protocol, transaction, subscriptions. For the client's
 * event loop.
 *
 * <p>While the state is uncertain, nothing is answered from memory.
 */
final class ClientSession {
  private static final long NO_MARK = -1;
  private static final String NO_USER = "";
  private static final int MAX_CLIENT_NAME = 256;

  private final HotReplies memory;
  private final ChangeFeed feed;
  private final Caller caller;
  private String user = NO_USER;
  private int database;
  private int view;
  private boolean resp3;

  /** The number of pending commands whose replies may change what this client must see. */
  private int suspensions;

  /** Memory serves reads again once changes up to here have been reported: those of scripts. */
  private long mark = NO_MARK;

  private boolean transaction;
  private Invalidation.Changes queued = Invalidation.Changes.NONE;
  private boolean watching;
  private int watchCount;
  private boolean uncertain;
  private boolean streaming;

  ClientSession(HotReplies memory, ChangeFeed feed, Caller caller) {
    this.memory = memory;
    this.feed = feed;
    this.caller = caller;
    this.view = memory.view(user, database);
  }

  /** Returns whether a read may be answered from memory now. */
  boolean mayReadMemory() {
    if (!isStateless()) {
      return false;
    }
    if (mark != NO_MARK) {
      if (!feed.hasPassed(mark)) {
        return false;
      }
      mark = NO_MARK;
    }
    return true;
  }

  /** Returns whether the upstream holds no state that affects a read. */
  boolean isStateless() {
    return suspensions == 0 && !transaction && !watching && !uncertain && !streaming && view >= 0;
  }

  /** Returns whether the client may read every key of database 0, which the filter covers. */
  boolean seesAllKeys() {
    return database == 0 && (user.equals(NO_USER) || user.equals("default"));
  }

  boolean isResp3() {
    return resp3;
  }

  /** Returns the number of the client's view in {@link HotReplies}. */
  int view() {
    return view;
  }

  boolean isInTransaction() {
    return transaction;
  }

  /** Returns whether the upstream sends more than one reply per command. */
  boolean isStreaming() {
    return streaming;
  }

  /**
   * Records a command that is sent now.
   *
   * @param alone the command's effects outside a transaction
   * @return the effects that its reply will have
   */
  ReplyEffects onSent(ReplyEffects alone, RequestScanner words) {
    UpstreamCommand command = alone.command();
    CommandKind kind = command == null ? CommandKind.OTHER : command.kind();
    OnReply onReply = transition(kind, words);
    Invalidation.Changes changes = alone.changes();
    if (kind == CommandKind.EXEC) {
      changes = queued;
      queued = Invalidation.Changes.NONE;
    } else if (transaction && kind != CommandKind.STREAM) {
      // Executed when the transaction ends.
      queued = queued.plus(changes);
      changes = Invalidation.Changes.NONE;
    }
    boolean suspends = command == null || !changes.isEmpty() || onReply != OnReply.NOTHING;
    if (suspends) {
      suspensions++;
    }
    return new ReplyEffects(command, changes, suspends, onReply, alone.read(), alone.context())
        .andThen(rename(kind, words));
  }

  /** Records the reply to a command, or that there will be none. */
  void onReply(ReplyEffects effects, boolean success) {
    if (effects.suspendsMemory()) {
      suspensions--;
    }
    if (effects.changes().unnamed()) {
      mark = feed.mark();
    }
    effects.onReply().accept(success);
  }

  /** Applies what a command changes when it is sent; returns what its reply changes. */
  private OnReply transition(CommandKind kind, RequestScanner words) {
    switch (kind) {
      case MULTI -> transaction = true;
      case WATCH -> {
        watching = true;
        watchCount++;
      }
      case EXEC -> {
        transaction = false;
        return unwatch();
      }
      case UNWATCH -> {
        return unwatch();
      }
      case TRACKING -> uncertain = true;
      case STREAM -> streaming = true;
      case RESET -> {
        transaction = false;
        queued = Invalidation.Changes.NONE;
        return unwatch().andThen(success -> reset());
      }
      case SELECT, AUTH, HELLO -> {
        if (!transaction) {
          return become(kind, words);
        }
        // Executed later, or never.
        uncertain = true;
      }
      default -> {
        // Changes no state.
      }
    }
    return OnReply.NOTHING;
  }

  private OnReply become(CommandKind kind, RequestScanner words) {
    int number = words.count() > 1 ? words.number(1) : -1;
    String name = user(kind, words);
    return success -> {
      if (success) {
        if (kind == CommandKind.SELECT) {
          database = number >= 0 ? number : database;
          uncertain |= number < 0;
        } else if (kind == CommandKind.HELLO && number >= 0) {
          resp3 = number == 3;
        }
        user = name == null ? user : name;
        view = memory.view(user, database);
      }
    };
  }

  private static @Nullable String user(CommandKind kind, RequestScanner words) {
    if (kind == CommandKind.AUTH) {
      return words.count() > 2 ? text(words.word(1)) : "default";
    }
    int position = kind == CommandKind.HELLO ? helloOption(words, "auth") : 0;
    return position == 0 ? null : text(words.word(position));
  }

  /** Returns the action that gives the client its name in the statistics. */
  private OnReply rename(CommandKind kind, RequestScanner words) {
    int position =
        switch (kind) {
          case SETNAME -> words.count() > 2 ? 2 : 0;
          case HELLO -> helloOption(words, "setname");
          default -> 0;
        };
    byte[] name = position == 0 ? null : words.word(position);
    if (name == null || name.length > MAX_CLIENT_NAME) {
      return OnReply.NOTHING;
    }
    return success -> {
      if (success) {
        caller.name(text(name));
      }
    };
  }

  /** Returns the position of the first argument of an option of HELLO, or 0. */
  private static int helloOption(RequestScanner words, String option) {
    // AUTH has two arguments, SETNAME one.
    for (int i = 2; i + 1 < words.count(); i += words.is(i, "auth") ? 3 : 2) {
      if (words.is(i, option)) {
        return i + 1;
      }
    }
    return 0;
  }

  /** Ends watching, unless another WATCH was sent in the meantime. */
  private OnReply unwatch() {
    int before = watchCount;
    return success -> watching &= watchCount != before;
  }

  private void reset() {
    user = NO_USER;
    database = 0;
    resp3 = false;
    view = memory.view(user, database);
  }

  private static String text(byte @Nullable [] word) {
    return word == null ? "?" : new String(word, StandardCharsets.UTF_8);
  }
}
