package io.heatshield.data.command;

import io.heatshield.data.command.hot.HotSession;
import io.heatshield.data.command.keys.ReadView;
import io.heatshield.data.command.session.Session;
import io.heatshield.data.command.session.TransactionCommands;
import io.heatshield.data.command.session.TransactionQueue;
import io.heatshield.data.command.session.User;
import io.heatshield.resp.Reply;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.Transaction;
import io.heatshield.store.WriteResult;
import io.heatshield.store.engine.Value;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the command of a call, checks whether the client may run it, and executes it.
 *
 * <p>Must be called on the client's event loop. A call gets exactly one reply; the next call of the
 * client must not be executed before.
 */
public final class Dispatcher {
  private static final int MAX_SHOWN = 128;

  private final ServerContext server;

  public Dispatcher(ServerContext server) {
    this.server = server;
  }

  /** Returns a call with arguments, at least one, without executing it. */
  public Call call(Session session, byte[][] args) {
    return new Call(server, session, find(args), args);
  }

  /** Executes a call; the returned future never fails. */
  public CompletableFuture<Reply> execute(Call call) {
    Session session = call.session();
    Command command = call.command();
    if (call.isUnknown()) {
      return refuse(session, unknown(call));
    }
    if (!command.spec().takes(call.count())) {
      return refuse(session, command, command.wrongCount());
    }
    session.seen(server.ticker().nanos(), command);
    String denied = denied(session, command);
    if (denied != null) {
      return refuse(session, command, denied);
    }
    TransactionQueue queue = session.queue();
    if (queue != null && !command.spec().has("+transaction")) {
      return queue.add(call)
          ? Replies.now(Reply.QUEUED)
          : refuse(session, "ERR transaction is too large");
    }
    HotSession tracking = command.onKeys() == null ? null : server.hotKeys().running();
    return tracking == null ? run(call) : tracked(tracking, call);
  }

  /** Returns whether a call is the first line or a header of an HTTP request. */
  public static boolean isHttp(Call call) {
    return call.is(0, "post") || call.is(0, "host:");
  }

  /** Returns the error if the client may not run a command now, or null. */
  private static @Nullable String denied(Session session, Command command) {
    User user = session.user();
    CommandSpec spec = command.spec();
    if (user == null && !spec.has("no_auth")) {
      return "NOAUTH Authentication required.";
    }
    if (session.queue() != null && spec.has("no_multi")) {
      return "ERR Command not allowed inside a transaction";
    }
    if (command.isAdmin() && (user == null || !user.admin())) {
      return "NOPERM '" + command.name() + "' needs a user that is an admin";
    }
    if (session.isSubscribed() && !session.isResp3() && !spec.has("+subscribed")) {
      return "ERR Can't execute '"
          + command.name()
          + "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this"
          + " context";
    }
    return null;
  }

  /** Executes a call and records its cost: the time on this thread, and its bytes. */
  private CompletableFuture<Reply> tracked(HotSession tracking, Call call) {
    long began = server.hotKeys().nanos();
    CompletableFuture<Reply> reply = run(call);
    long nanos = server.hotKeys().nanos() - began;
    List<byte[]> keys = call.command().keys(call.args());
    call.session().tracked(List.of(tracking.ran(keys, call.args(), nanos)));
    return reply;
  }

  private CompletableFuture<Reply> run(Call call) {
    Command command = call.command();
    Function<KeyCall, Reply> onKeys = command.onKeys();
    try {
      if (onKeys != null) {
        call.touch();
      }
      var onCall = command.onCall();
      CompletableFuture<Reply> reply = onCall == null ? null : onCall.apply(call);
      if (reply != null) {
        return onKeys == null ? reply.exceptionally(Replies::failure) : reply;
      }
      if (onKeys == null) {
        throw new IllegalStateException("command has no function: " + command.name());
      }
      return command.isWrite() ? write(call, onKeys) : read(call, onKeys);
    } catch (RuntimeException e) {
      return Replies.now(Replies.failure(e));
    }
  }

  private static CompletableFuture<Reply> write(Call call, Function<KeyCall, Reply> body) {
    Command command = call.command();
    GuardedStore store = call.store().store();
    boolean inPlace = command.changesInPlace();
    OpenStore at = call.store();
    byte[] key = call.key();
    Transaction<Reply> run =
        view -> body.apply(new KeyCall(command, call.args(), view, at, inPlace));
    if (inPlace && !store.faults().isWritable()) {
      // A structure is changed in memory and written later, so the engine would not refuse it.
      return Replies.now(Replies.diskRefuses(store.faults().write()));
    }
    CompletionStage<WriteResult<Reply>> stage =
        key == null
            ? store.update(command.keys(call.args()), run)
            : inPlace ? store.change(key, call.hash(), run) : store.update(key, call.hash(), run);
    return Replies.map(
        stage,
        written -> {
          Reply reply = written.answer();
          return reply == null ? Replies.throttled(written.retryAfterMillis()) : reply;
        });
  }

  private CompletableFuture<Reply> read(Call call, Function<KeyCall, Reply> body) {
    List<byte[]> keys = call.command().keys(call.args());
    GuardedStore store = call.store().store();
    byte[] key = call.key();
    if (key != null) {
      return Replies.map(
          store.get(key, call.hash()),
          value -> read(call, body, keys, Collections.singletonList(value)));
    }
    return Replies.map(store.getAll(keys), values -> read(call, body, keys, values));
  }

  private Reply read(
      Call call, Function<KeyCall, Reply> body, List<byte[]> keys, List<@Nullable Value> values) {
    call.session().missed(keys, values);
    var view = new ReadView(keys, values, server.clock().millis());
    return body.apply(new KeyCall(call.command(), call.args(), view, call.store(), false));
  }

  /** Replies with an error; an EXEC that cannot run ends its transaction, as in Redis. */
  private static CompletableFuture<Reply> refuse(Session session, Command command, String error) {
    if (!command.name().equals("exec")) {
      return refuse(session, error);
    }
    TransactionCommands.abandon(session);
    String reason = error.substring(error.indexOf(' ') + 1);
    return Replies.now(Reply.error("EXECABORT Transaction discarded because of: " + reason));
  }

  /** Replies with an error; an open transaction can then only be discarded, as in Redis. */
  private static CompletableFuture<Reply> refuse(Session session, String error) {
    TransactionQueue queue = session.queue();
    if (queue != null) {
      queue.fail();
    }
    return Replies.now(Reply.error(error));
  }

  private Command find(byte[][] args) {
    Command command = server.table().find(args[0]);
    if (command == null) {
      return Command.UNKNOWN;
    }
    if (command.children().isEmpty() || args.length == 1) {
      return command;
    }
    String child = new String(args[1], StandardCharsets.UTF_8).toLowerCase(Locale.ROOT);
    return command.children().getOrDefault(child, Command.UNKNOWN);
  }

  private String unknown(Call call) {
    Command parent = server.table().find(call.arg(0));
    if (parent != null) {
      return "ERR unknown subcommand '"
          + call.escaped(1, MAX_SHOWN)
          + "'. Try "
          + parent.name().toUpperCase(Locale.ROOT)
          + " HELP.";
    }
    var text = new StringBuilder("ERR unknown command '");
    text.append(call.escaped(0, MAX_SHOWN)).append("', with args beginning with: ");
    int room = MAX_SHOWN;
    for (int i = 1; i < call.count() && room > 0; i++) {
      text.append('\'').append(call.escaped(i, room)).append("' ");
      room -= Math.min(call.arg(i).length, room) + 3;
    }
    return text.toString();
  }
}
