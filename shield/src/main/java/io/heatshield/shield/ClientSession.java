package io.heatshield.shield;

import io.heatshield.guard.ChangeFeed;
import io.heatshield.resp.RequestScanner;
import io.heatshield.shield.ReplyEffects.OnReply;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The state that the upstream holds for one client's connection, as far as it decides what may be
 * answered from memory: user, database, protocol, transaction, subscriptions.
 *
 * <p>Where it is not certain what the upstream thinks, nothing is answered from memory. For the
 * client's event loop.
 */
final class ClientSession {
  private static final long NO_MARK = -1;
  private static final String NO_USER = "";

  private final HotReplies memory;
  private final ChangeFeed feed;
  private String user = NO_USER;
  private int database;
  private int view;
  private boolean resp3;

  /** The pending commands whose replies may change what this client must see. */
  private int suspensions;

  /** Reads wait until changes up to here have been reported, so that a client sees its scripts. */
  private long mark = NO_MARK;

  private boolean transaction;
  private Invalidation.Changes queued = Invalidation.Changes.NONE;
  private boolean watching;
  private int watchCount;
  private boolean uncertain;
  private boolean streaming;

  ClientSession(HotReplies memory, ChangeFeed feed) {
    this.memory = memory;
    this.feed = feed;
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

  /** Returns whether the upstream holds no state that matters to a read. */
  boolean isStateless() {
    return suspensions == 0 && !transaction && !watching && !uncertain && !streaming && view >= 0;
  }

  /** Returns whether the client may read every key of database 0, which absent keys refer to. */
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
    return new ReplyEffects(command, changes, suspends, onReply, alone.read(), alone.context());
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

  /** Takes over what a command changes at once; returns what its reply changes. */
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
        // Executed later or not at all.
        uncertain = true;
      }
      default -> {
        // No state.
      }
    }
    return OnReply.NOTHING;
  }

  private OnReply become(CommandKind kind, RequestScanner words) {
    int number = kind == CommandKind.SELECT && words.count() > 1 ? words.number(1) : -1;
    int protocol = kind == CommandKind.HELLO && words.count() > 1 ? words.number(1) : -1;
    String name = kind == CommandKind.AUTH ? authUser(words) : helloUser(words);
    return success -> {
      if (success) {
        resp3 = protocol < 0 ? resp3 : protocol == 3;
        database = number >= 0 ? number : database;
        uncertain |= kind == CommandKind.SELECT && number < 0;
        user = kind == CommandKind.SELECT || name == null ? user : name;
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
