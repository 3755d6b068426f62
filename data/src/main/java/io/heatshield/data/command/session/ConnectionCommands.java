package io.heatshield.data.command.session;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Command;
import io.heatshield.data.command.CommandException;
import io.heatshield.data.command.CommandGroup;
import io.heatshield.data.command.MapReply;
import io.heatshield.data.command.OpenStore;
import io.heatshield.data.command.Replies;
import io.heatshield.data.command.hot.ChannelCommands;
import io.heatshield.data.command.server.InfoText;
import io.heatshield.resp.Reply;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The commands that set up a connection: authentication, protocol version, selected store. */
public final class ConnectionCommands {
  private static final String WRONG_PASSWORD =
      "WRONGPASS invalid username-password pair or user is disabled.";
  private static final String DEFAULT_USER = "default";
  private static final String TOO_MANY =
      "ERR too many wrong passwords from this address, try again in a second";
  private static final int RESP3 = 3;

  private ConnectionCommands() {}

  public static List<Command> all() {
    return new CommandGroup("connection")
        .call(
            "ping -1 fast,+subscribed 1.0.0 Returns PONG, or its argument.",
            ConnectionCommands::ping)
        .call(
            "echo 2 loading,stale,fast 1.0.0 Returns its argument.",
            call -> Reply.bulk(call.arg(1)))
        .async(
            "hello -1 noscript,loading,stale,fast,no_auth,no_multi 6.0.0 Sets the protocol version,"
                + " and authenticates the client.",
            ConnectionCommands::hello)
        .async(
            "auth -2 noscript,loading,stale,fast,no_auth,no_multi 1.0.0 Authenticates the client.",
            ConnectionCommands::auth)
        .call(
            "select 2 loading,stale,fast,no_multi 1.0.0 Selects a store by index or name.",
            ConnectionCommands::select)
        .call(
            "quit -1 noscript,loading,stale,fast,no_auth,+subscribed,+transaction 1.0.0 Closes the"
                + " connection.",
            ConnectionCommands::quit)
        .call(
            "reset 1 noscript,loading,stale,fast,no_auth,+subscribed,+transaction 6.2.0 Resets the"
                + " state of the connection.",
            ConnectionCommands::reset)
        .commands();
  }

  /** Returns a client name; fails if it would break a line of CLIENT LIST. */
  static String name(Call call, int index) {
    for (byte b : call.arg(index)) {
      if (b < '!' || b > '~') {
        throw new CommandException(
            "ERR Client names cannot contain spaces, newlines or special characters.");
      }
    }
    return call.text(index);
  }

  private static Reply ping(Call call) {
    call.checkMaxCount(2);
    Session session = call.session();
    if (session.isSubscribed() && !session.isResp3()) {
      Reply message = call.count() == 2 ? Reply.bulk(call.arg(1)) : Reply.bulk("");
      return Reply.array(List.of(Reply.bulk("pong"), message));
    }
    return call.count() == 2 ? Reply.bulk(call.arg(1)) : Reply.status("PONG");
  }

  private static Reply quit(Call call) {
    call.session().peer().closeAfterReply();
    return Reply.OK;
  }

  private static CompletableFuture<Reply> hello(Call call) {
    long version = 0;
    if (call.count() > 1) {
      version = call.integer(1, "ERR Protocol version is not an integer or out of range");
      if (version < 2 || version > RESP3) {
        throw new CommandException("NOPROTO unsupported protocol version");
      }
    }
    int login = 0;
    String name = null;
    for (int i = 2; i < call.count(); i++) {
      int more = call.count() - 1 - i;
      if (call.is(i, "auth") && more >= 2) {
        login = i + 1;
        i += 2;
      } else if (call.is(i, "setname") && more >= 1) {
        name = name(call, ++i);
      } else {
        throw new CommandException(
            "ERR Syntax error in HELLO option '" + call.escaped(i, 128) + "'");
      }
    }
    int protocol = (int) version;
    String named = name;
    if (login > 0) {
      return login(
          call, call.text(login), call.arg(login + 1), user -> hello(call, user, protocol, named));
    }
    return Replies.now(hello(call, call.session().user(), protocol, named));
  }

  private static Reply hello(Call call, @Nullable User user, int version, @Nullable String name) {
    if (user == null) {
      throw new CommandException(
          "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO"
              + " <proto> AUTH <user> <pass> option can be used to authenticate the client and"
              + " select the RESP protocol version at the same time");
    }
    Session session = call.session();
    session.user(user);
    if (name != null) {
      session.name(name);
    }
    if (version != 0) {
      session.resp3(version == RESP3);
    }
    return new MapReply()
        .add("server", "redis")
        .add("version", InfoText.REDIS_VERSION)
        .add("proto", session.isResp3() ? 3 : 2)
        .add("id", session.id())
        .add("mode", "standalone")
        .add("role", "master")
        .add("modules", Reply.EMPTY)
        .build();
  }

  private static CompletableFuture<Reply> auth(Call call) {
    if (call.count() > 3) {
      throw new CommandException(CommandException.SYNTAX);
    }
    Authenticator users = call.server().users();
    boolean named = call.count() == 3;
    if (!named && users.unauthenticated() != null) {
      throw new CommandException(
          "ERR AUTH <password> called without any password configured for the default user."
              + " Are you sure your configuration is correct?");
    }
    return login(
        call,
        named ? call.text(1) : DEFAULT_USER,
        call.arg(named ? 2 : 1),
        user -> {
          call.session().user(user);
          return Reply.OK;
        });
  }

  /** Replies to a right password immediately and to a wrong one later; see {@link FailedLogins}. */
  private static CompletableFuture<Reply> login(
      Call call, String name, byte[] password, Function<User, Reply> welcome) {
    FailedLogins failed = call.server().clients().failedLogins();
    String address = call.session().address();
    if (!failed.mayTry(address, name)) {
      return Replies.now(Reply.error(TOO_MANY));
    }
    User user = call.server().users().find(name, password);
    if (user != null) {
      return Replies.now(welcome.apply(user));
    }
    var answer = new CompletableFuture<Reply>();
    call.session()
        .peer()
        .later(
            failed.fail(address, name, call.server().ticker().nanos()),
            () -> {
              failed.answered(address, name);
              answer.complete(Reply.error(WRONG_PASSWORD));
            });
    return answer;
  }

  private static Reply select(Call call) {
    Optional<OpenStore> named = call.server().store(call.text(1));
    if (named.isEmpty()) {
      long index = call.integer(1);
      if (index < 0 || index >= call.server().stores().size()) {
        throw new CommandException("ERR DB index is out of range");
      }
      named = Optional.of(call.server().stores().get((int) index));
    }
    call.session().store(named.get());
    return Reply.OK;
  }

  private static Reply reset(Call call) {
    Session session = call.session();
    TransactionCommands.abandon(session);
    ChannelCommands.unsubscribeAll(call);
    session.store(call.server().stores().get(0));
    session.name("");
    session.resp3(false);
    session.user(call.server().users().unauthenticated());
    return Reply.status("RESET");
  }
}
