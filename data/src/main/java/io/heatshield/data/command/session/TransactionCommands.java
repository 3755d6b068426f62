package io.heatshield.data.command.session;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Command;
import io.heatshield.data.command.Dispatcher;
import io.heatshield.data.command.KeyCall;
import io.heatshield.data.command.OpenStore;
import io.heatshield.data.command.Refused;
import io.heatshield.data.command.Stages;
import io.heatshield.data.command.hot.HotKeys;
import io.heatshield.data.command.hot.HotSession;
import io.heatshield.resp.Reply;
import io.heatshield.store.View;
import io.heatshield.store.WriteResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * MULTI, EXEC, DISCARD, WATCH and UNWATCH.
 *
 * <p>All commands of a transaction that work on keys run as one atomic step of the store, after the
 * watched keys were looked at in the same step. If a key that they write is clamped, none of them
 * takes place.
 */
public final class TransactionCommands {
  private TransactionCommands() {}

  public static List<Command> all() {
    return List.of(
        Command.now(
            "multi 1 noscript,loading,stale,fast,+transaction 0 0 0 transactions 1.2.0 Begins a"
                + " transaction.",
            TransactionCommands::multi),
        Command.onCall(
            "exec 1 noscript,loading,stale,+transaction 0 0 0 transactions 1.2.0 Runs the commands"
                + " of a transaction.",
            TransactionCommands::exec),
        Command.now(
            "discard 1 noscript,loading,stale,fast,+transaction 0 0 0 transactions 2.0.0 Gives a"
                + " transaction up.",
            TransactionCommands::discard),
        Command.onCall(
            "watch -2 noscript,loading,stale,fast,+transaction 1 -1 1 transactions 2.2.0 Makes EXEC"
                + " depend on keys that do not change.",
            TransactionCommands::watch),
        Command.now(
            "unwatch 1 noscript,loading,stale,fast 0 0 0 transactions 2.2.0 Forgets all watched"
                + " keys.",
            call -> {
              call.session().watched().clear();
              return Reply.OK;
            }));
  }

  /** Ends a transaction without running it, and forgets the watched keys. */
  public static void abandon(Session session) {
    session.queue(null);
    session.watched().clear();
  }

  private static Reply multi(Call call) {
    if (call.session().queue() != null) {
      return Reply.error("ERR MULTI calls can not be nested");
    }
    call.session().queue(new Queue());
    return Reply.OK;
  }

  private static Reply discard(Call call) {
    if (call.session().queue() == null) {
      return Reply.error("ERR DISCARD without MULTI");
    }
    abandon(call.session());
    return Reply.OK;
  }

  private static CompletableFuture<Reply> watch(Call call) {
    Session session = call.session();
    if (session.queue() != null) {
      return Stages.now(Reply.error("ERR WATCH inside MULTI is not allowed"));
    }
    if (session.watched().size() + call.count() - 1 > Session.MAX_WATCHED) {
      return Stages.now(Reply.error("ERR watched keys must number at most " + Session.MAX_WATCHED));
    }
    OpenStore store = call.store();
    Dispatcher.touch(call, 1);
    CompletableFuture<Reply> all = Stages.now(Reply.OK);
    for (int i = 1; i < call.count(); i++) {
      byte[] key = call.word(i);
      CompletableFuture<Reply> one =
          Stages.map(
              store.store().stamp(key),
              stamp -> {
                session.watched().add(new Session.Watched(store, key, stamp));
                return Reply.OK;
              });
      all = all.thenCombine(one, (before, now) -> before.isError() ? before : now);
    }
    return all;
  }

  private static CompletableFuture<Reply> exec(Call call) {
    Session session = call.session();
    Queue queue = session.queue();
    if (queue == null) {
      return Stages.now(Reply.error("ERR EXEC without MULTI"));
    }
    List<Session.Watched> watched = List.copyOf(session.watched());
    abandon(session);
    if (queue.isSpoiled()) {
      return Stages.now(Reply.error("EXECABORT Transaction discarded because of previous errors."));
    }
    return othersUnchanged(watched, call.store())
        .thenCompose(same -> same ? exec(call, queue, watched) : Stages.now(Reply.NULL_ARRAY));
  }

  /** Looks at watched keys of other stores, which one step cannot cover; just before it. */
  private static CompletableFuture<Boolean> othersUnchanged(
      List<Session.Watched> watched, OpenStore store) {
    CompletableFuture<Boolean> same = CompletableFuture.completedFuture(true);
    for (Session.Watched one : watched) {
      if (one.store().index() != store.index()) {
        same =
            same.thenCombine(
                one.store().store().stamp(one.key()).toCompletableFuture(),
                (before, stamp) -> before && stamp == one.stamp());
      }
    }
    return same;
  }

  private static CompletableFuture<Reply> exec(
      Call call, Queue queue, List<Session.Watched> watched) {
    OpenStore store = call.store();
    List<Session.Watched> own =
        watched.stream().filter(one -> one.store().index() == store.index()).toList();
    var keys = new ArrayList<byte[]>();
    own.forEach(one -> keys.add(one.key()));
    for (Call queued : queue.calls()) {
      if (queued.command().onKeys() != null) {
        keys.addAll(queued.command().keys(queued.words()));
        Dispatcher.touch(queued, 1);
      }
    }
    if (keys.isEmpty()) {
      return Stages.now(merged(queue, List.of()));
    }
    return Stages.map(
        store.store().update(keys, view -> step(call, view, queue, own)),
        written -> answer(queue, written));
  }

  /** Runs what works on keys; null if a watched key has changed. */
  private static @Nullable List<Reply> step(
      Call call, View view, Queue queue, List<Session.Watched> own) {
    for (Session.Watched one : own) {
      if (view.stamp(one.key()) != one.stamp()) {
        return null;
      }
    }
    HotKeys hotKeys = call.realm().hotKeys();
    HotSession tracked = hotKeys.running();
    var uses = new ArrayList<HotSession.Use>();
    var replies = new ArrayList<Reply>();
    for (Call queued : queue.calls()) {
      Command.OnKeys body = queued.command().onKeys();
      if (body != null) {
        long began = tracked == null ? 0 : hotKeys.nanos();
        replies.add(
            run(body, new KeyCall(queued.command(), queued.words(), view, call.store(), false)));
        if (tracked != null) {
          List<byte[]> keys = queued.command().keys(queued.words());
          uses.add(tracked.ran(keys, queued.words(), hotKeys.nanos() - began));
        }
      }
    }
    call.session().tracked(uses);
    return replies;
  }

  private static Reply run(Command.OnKeys body, KeyCall call) {
    try {
      return body.run(call);
    } catch (Refused e) {
      return e.reply();
    }
  }

  private static Reply answer(Queue queue, WriteResult<List<Reply>> written) {
    if (written.isThrottled()) {
      return Stages.throttled(written);
    }
    List<Reply> replies = written.answer();
    return replies == null ? Reply.NULL_ARRAY : merged(queue, replies);
  }

  /** Puts the answers of commands without keys, which run now, between those with keys. */
  private static Reply merged(Queue queue, List<Reply> onKeys) {
    var replies = new ArrayList<Reply>();
    int next = 0;
    for (Call queued : queue.calls()) {
      Command.Now now = queued.command().now();
      if (now == null) {
        replies.add(onKeys.get(next++));
      } else {
        replies.add(run(now, queued));
      }
    }
    return Reply.array(replies);
  }

  private static Reply run(Command.Now body, Call call) {
    try {
      return body.run(call);
    } catch (Refused e) {
      return e.reply();
    }
  }
}
