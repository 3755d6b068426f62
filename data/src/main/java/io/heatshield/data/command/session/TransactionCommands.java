package io.heatshield.data.command.session;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Command;
import io.heatshield.data.command.CommandException;
import io.heatshield.data.command.CommandGroup;
import io.heatshield.data.command.KeyCall;
import io.heatshield.data.command.OpenStore;
import io.heatshield.data.command.Replies;
import io.heatshield.data.command.hot.HotKeys;
import io.heatshield.data.command.hot.HotSession;
import io.heatshield.resp.Reply;
import io.heatshield.store.View;
import io.heatshield.store.WriteResult;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * MULTI, EXEC, DISCARD, WATCH and UNWATCH.
 *
 * <p>All commands on keys of a transaction run as one atomic step of the store, which also checks
 * the watched keys. If a key that they write is throttled, none of them runs.
 */
public final class TransactionCommands {
  private TransactionCommands() {}

  public static List<Command> all() {
    return new CommandGroup("transactions", "noscript,loading,stale")
        .call("multi 1 fast,+transaction 1.2.0 Starts a transaction.", TransactionCommands::multi)
        .async("exec 1 +transaction 1.2.0 Executes a transaction.", TransactionCommands::exec)
        .call(
            "discard 1 fast,+transaction 2.0.0 Discards a transaction.",
            TransactionCommands::discard)
        .async(
            "watch -2 fast,+transaction 2.2.0 Makes EXEC depend on keys that must not change.",
            "1 -1 1",
            TransactionCommands::watch)
        .call("unwatch 1 fast 2.2.0 Forgets all watched keys.", TransactionCommands::unwatch)
        .commands();
  }

  /** Ends a transaction without executing it, and forgets the watched keys. */
  public static void abandon(Session session) {
    session.queue(null);
    session.watched().clear();
  }

  private static Reply multi(Call call) {
    if (call.session().queue() != null) {
      return Reply.error("ERR MULTI calls can not be nested");
    }
    call.session().queue(new TransactionQueue());
    return Reply.OK;
  }

  private static Reply discard(Call call) {
    if (call.session().queue() == null) {
      return Reply.error("ERR DISCARD without MULTI");
    }
    abandon(call.session());
    return Reply.OK;
  }

  private static Reply unwatch(Call call) {
    call.session().watched().clear();
    return Reply.OK;
  }

  private static CompletableFuture<Reply> watch(Call call) {
    Session session = call.session();
    if (session.queue() != null) {
      throw new CommandException("ERR WATCH inside MULTI is not allowed");
    }
    if (session.watched().size() + call.count() - 1 > Session.MAX_WATCHED) {
      throw new CommandException("ERR watched keys must number at most " + Session.MAX_WATCHED);
    }
    call.touch(1);
    return IntStream.range(1, call.count())
        .mapToObj(i -> watch(session, call.store(), call.arg(i)))
        .reduce(Replies.OK, Replies::firstError);
  }

  private static CompletableFuture<Reply> watch(Session session, OpenStore store, byte[] key) {
    return Replies.map(
        store.store().stamp(key),
        stamp -> {
          session.watched().add(new Session.Watched(store, key, stamp));
          return Reply.OK;
        });
  }

  private static CompletableFuture<Reply> exec(Call call) {
    Session session = call.session();
    TransactionQueue queue = session.queue();
    if (queue == null) {
      throw new CommandException("ERR EXEC without MULTI");
    }
    List<Session.Watched> watched = List.copyOf(session.watched());
    abandon(session);
    if (queue.isFailed()) {
      throw new CommandException("EXECABORT Transaction discarded because of previous errors.");
    }
    return othersUnchanged(watched, call.store())
        .thenCompose(same -> same ? exec(call, queue, watched) : Replies.now(Reply.NULL_ARRAY));
  }

  /** Checks the watched keys of other stores immediately before the step, which cannot do it. */
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
      Call call, TransactionQueue queue, List<Session.Watched> watched) {
    OpenStore store = call.store();
    List<Session.Watched> own =
        watched.stream().filter(one -> one.store().index() == store.index()).toList();
    var keys = new ArrayList<byte[]>();
    own.forEach(one -> keys.add(one.key()));
    for (Call queued : queue.calls()) {
      if (queued.command().onKeys() != null) {
        keys.addAll(queued.command().keys(queued.args()));
        queued.touch(1);
      }
    }
    if (keys.isEmpty()) {
      return Replies.now(merged(queue, List.of()));
    }
    return Replies.map(
        store.store().update(keys, view -> step(call, view, queue, own)),
        written -> reply(queue, written));
  }

  /** Runs the commands on keys; returns null if a watched key has changed. */
  private static @Nullable List<Reply> step(
      Call call, View view, TransactionQueue queue, List<Session.Watched> own) {
    for (Session.Watched one : own) {
      if (view.stamp(one.key()) != one.stamp()) {
        return null;
      }
    }
    HotKeys hotKeys = call.server().hotKeys();
    HotSession tracking = hotKeys.running();
    var uses = new ArrayList<HotSession.Use>();
    var replies = new ArrayList<Reply>();
    for (Call queued : queue.calls()) {
      Command command = queued.command();
      var body = command.onKeys();
      if (body != null) {
        long began = tracking == null ? 0 : hotKeys.nanos();
        var keyCall = new KeyCall(command, queued.args(), view, call.store(), false);
        replies.add(orError(() -> body.apply(keyCall)));
        if (tracking != null) {
          List<byte[]> keys = command.keys(queued.args());
          uses.add(tracking.ran(keys, queued.args(), hotKeys.nanos() - began));
        }
      }
    }
    call.session().tracked(uses);
    return replies;
  }

  private static Reply reply(TransactionQueue queue, WriteResult<List<Reply>> written) {
    if (written.isThrottled()) {
      return Replies.throttled(written.retryAfterMillis());
    }
    List<Reply> replies = written.answer();
    return replies == null ? Reply.NULL_ARRAY : merged(queue, replies);
  }

  /** Runs the commands without keys and merges their replies with those on keys. */
  private static Reply merged(TransactionQueue queue, List<Reply> onKeys) {
    Iterator<Reply> next = onKeys.iterator();
    return Reply.array(
        queue.calls().stream()
            .map(queued -> queued.command().onKeys() == null ? run(queued) : next.next())
            .toList());
  }

  /** Runs a command without keys; all that can be queued reply immediately. */
  private static Reply run(Call call) {
    var body = Objects.requireNonNull(call.command().onCall());
    return orError(() -> Objects.requireNonNull(body.apply(call)).join());
  }

  private static Reply orError(Supplier<Reply> body) {
    try {
      return body.get();
    } catch (CommandException e) {
      return e.reply();
    }
  }
}
