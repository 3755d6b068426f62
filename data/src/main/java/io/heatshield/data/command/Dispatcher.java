package io.heatshield.data.command;

import io.heatshield.data.command.hot.HotContext;
import io.heatshield.data.command.hot.HotSession;
import io.heatshield.data.command.keys.ReadView;
import io.heatshield.data.command.session.Queue;
import io.heatshield.data.command.session.Session;
import io.heatshield.data.command.session.TransactionCommands;
import io.heatshield.data.command.session.User;
import io.heatshield.resp.Reply;
import io.heatshield.store.Transaction;
import io.heatshield.store.WriteResult;
import io.heatshield.store.engine.Value;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Takes the words of a client, finds the command, asks whether it may run, and runs it.
 *
 * <p>For the event loop of the client. A command is answered exactly once; the next one of the same
 * client must not be handed in before that.
 */
public final class Dispatcher {
  private static final int SHOWN = 128;

  private final Realm realm;

  /** Creates a dispatcher over what clients share. */
  public Dispatcher(Realm realm) {
    this.realm = realm;
  }

  /** Returns the call that a client makes with words, at least one; nothing is done yet. */
  public Call call(Session session, byte[][] words) {
    Command command = realm.table().find(words[0]);
    if (command == null) {
      return new Call(realm, session, Command.UNKNOWN, words, 0);
    }
    Map<String, Command> children = command.children();
    if (!children.isEmpty() && words.length > 1) {
      command = children.getOrDefault(Words.name(words[1]), Command.UNKNOWN);
    }
    int only = command.onlyKey(words.length);
    long hash = only == 0 ? 0 : realm.hash().hash(words[only]);
    return new Call(realm, session, command, words, hash);
  }

  /** Returns the answer to a call, now or later; it never fails. */
  public CompletableFuture<Reply> execute(Call call) {
    Session session = call.session();
    Command command = call.command();
    byte[][] words = call.words();
    if (call.isUnknown()) {
      Command parent = realm.table().find(words[0]);
      return refuse(session, parent == null ? unknown(words) : unknownChild(parent, words[1]));
    }
    if (!command.takes(words.length)) {
      return refuse(session, command, command.wrongCount());
    }
    session.seen(realm.ticker().nanos(), command);
    String denied = denied(session, command);
    if (denied != null) {
      return refuse(session, command, denied);
    }
    Queue queue = session.queue();
    if (queue != null && !command.alwaysRuns()) {
      return queue.add(call)
          ? Stages.now(Reply.QUEUED)
          : refuse(session, "ERR transaction is too large");
    }
    HotSession tracked = command.onKeys() == null ? null : realm.hotKeys().running();
    return tracked == null ? run(call) : tracked(tracked, call);
  }

  /** Returns whether a first word is that of a browser that was sent to this port. */
  public static boolean isForeign(byte[] word) {
    return Words.is(word, "post") || Words.is(word, "host:");
  }

  /** Returns the error of a command that this client may not run now, or null. */
  private static @Nullable String denied(Session session, Command command) {
    User user = session.user();
    if (user == null && !command.isFree()) {
      return "NOAUTH Authentication required.";
    }
    if (session.queue() != null && command.isNeverQueued()) {
      return "ERR Command not allowed inside a transaction";
    }
    if (command.isAdmin() && (user == null || !user.admin())) {
      return "NOPERM '" + command.name() + "' needs a user that is an admin";
    }
    if (session.isSubscribed() && !session.isResp3() && !command.runsWhileSubscribed()) {
      return "ERR Can't execute '"
          + command.name()
          + "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this"
          + " context";
    }
    return null;
  }

  /** Runs a command and puts its cost down: the time that it held this thread, and its bytes. */
  private CompletableFuture<Reply> tracked(HotSession tracking, Call call) {
    long began = realm.hotKeys().nanos();
    CompletableFuture<Reply> reply = run(call);
    long nanos = realm.hotKeys().nanos() - began;
    List<byte[]> keys = call.command().keys(call.words());
    call.session().tracked(List.of(tracking.ran(keys, call.words(), nanos)));
    return reply;
  }

  private CompletableFuture<Reply> run(Call call) {
    Command command = call.command();
    try {
      Command.OnKeys onKeys = command.onKeys();
      if (onKeys != null) {
        touch(call);
        Command.Alone alone = command.alone();
        CompletableFuture<Reply> shorter = alone == null ? null : alone.run(call);
        if (shorter != null) {
          return shorter;
        }
        return command.isWrite() ? write(call, onKeys) : read(call, onKeys);
      }
      Command.Now now = command.now();
      if (now != null) {
        return Stages.now(now.run(call));
      }
      Command.OnCall onCall = command.onCall();
      return onCall == null
          ? refuse(call.session(), command.wrongCount())
          : onCall.run(call).exceptionally(Stages::failure);
    } catch (RuntimeException e) {
      return Stages.now(Stages.failure(e));
    }
  }

  /** Counts every key of a call. */
  private static void touch(Call call) {
    Call.Row row = call.row();
    if (row == null) {
      touch(call, 1);
      return;
    }
    int uses = row.uses();
    row.ran();
    if (uses > 0) {
      touch(call, uses);
      row.counted(call.session().hot());
      return;
    }
    HotContext hot = row.hot();
    Session session = call.session();
    session.hot(hot);
    session.caller().spread().again();
    if (hot != null) {
      hot.use(session.caller(), call.command(), size(call.words()), 0);
    }
  }

  /** Counts every key of a call, if that is one alone as used so many times. */
  public static void touch(Call call, int uses) {
    Session session = call.session();
    byte[][] words = call.words();
    int only = call.command().onlyKey(words.length);
    long size = size(words);
    if (only != 0) {
      session.hot(touch(call, words[only], call.hash(), size, uses));
      return;
    }
    HotContext hot = null;
    for (byte[] key : call.command().keys(words)) {
      HotContext found = touch(call, key, session.store().hot().hash().hash(key), size, 1);
      hot = found == null ? hot : found;
    }
    session.hot(hot);
  }

  private static @Nullable HotContext touch(Call call, byte[] key, long hash, long size, int uses) {
    return call.store().hot().touch(call.session().caller(), call.command(), hash, key, size, uses);
  }

  private static long size(byte[][] words) {
    long size = 0;
    for (byte[] word : words) {
      size += word.length;
    }
    return size;
  }

  private static CompletableFuture<Reply> write(Call call, Command.OnKeys body) {
    Command command = call.command();
    byte[][] words = call.words();
    OpenStore at = call.store();
    boolean sure = command.changesInPlace();
    int only = command.onlyKey(words.length);
    Transaction<Reply> run = view -> body.run(new KeyCall(command, words, view, at, sure));
    CompletionStage<WriteResult<Reply>> stage;
    if (sure && !at.store().faults().isWritable()) {
      // A structure is changed in memory and written later, so the engine would not refuse it.
      return Stages.now(Stages.diskRefuses(at.store().faults().write()));
    }
    if (sure) {
      byte[] first = words[command.firstKey()];
      stage =
          at.store().change(first, only == 0 ? at.store().hash().hash(first) : call.hash(), run);
    } else if (only == 0) {
      stage = at.store().update(command.keys(words), run);
    } else {
      stage = at.store().update(words[only], call.hash(), run);
    }
    return Stages.map(
        stage,
        written -> {
          Reply answer = written.answer();
          return answer == null ? Stages.throttled(written) : answer;
        });
  }

  private CompletableFuture<Reply> read(Call call, Command.OnKeys body) {
    Command command = call.command();
    List<byte[]> keys = command.keys(call.words());
    OpenStore at = call.store();
    if (command.onlyKey(call.count()) != 0) {
      return Stages.map(
          at.store().get(keys.get(0), call.hash()),
          value -> show(call, body, keys, Collections.singletonList(value)));
    }
    return Stages.map(at.store().getAll(keys), values -> show(call, body, keys, values));
  }

  private Reply show(
      Call call, Command.OnKeys body, List<byte[]> keys, List<@Nullable Value> values) {
    call.session().missed(keys, values);
    var view = new ReadView(keys, values, realm.clock().millis());
    return body.run(new KeyCall(call.command(), call.words(), view, call.store(), false));
  }

  /** Answers with an error; an EXEC that cannot run ends its transaction, as in Redis. */
  private static CompletableFuture<Reply> refuse(Session session, Command command, String error) {
    if (!command.name().equals("exec")) {
      return refuse(session, error);
    }
    TransactionCommands.abandon(session);
    String reason = error.substring(error.indexOf(' ') + 1);
    return Stages.now(Reply.error("EXECABORT Transaction discarded because of: " + reason));
  }

  /** Answers with an error, and makes a transaction in the making worthless, as Redis does. */
  private static CompletableFuture<Reply> refuse(Session session, String error) {
    Queue queue = session.queue();
    if (queue != null) {
      queue.spoil();
    }
    return Stages.now(Reply.error(error));
  }

  private static String unknown(byte[][] words) {
    var text = new StringBuilder("ERR unknown command '");
    text.append(Words.shown(words[0], SHOWN)).append("', with args beginning with: ");
    int room = SHOWN;
    for (int i = 1; i < words.length && room > 0; i++) {
      text.append('\'').append(Words.shown(words[i], room)).append("' ");
      room -= Math.min(words[i].length, room) + 3;
    }
    return text.toString();
  }

  private static String unknownChild(Command parent, byte[] word) {
    return "ERR unknown subcommand '"
        + Words.shown(word, SHOWN)
        + "'. Try "
        + parent.name().toUpperCase(Locale.ROOT)
        + " HELP.";
  }
}
