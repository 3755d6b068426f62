package io.heatshield.data.command.session;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Command;
import io.heatshield.data.command.OpenStore;
import io.heatshield.data.command.Refused;
import io.heatshield.data.command.Stages;
import io.heatshield.data.command.Words;
import io.heatshield.data.command.hot.ChannelCommands;
import io.heatshield.data.command.server.InfoText;
import io.heatshield.resp.Reply;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The commands with which a client says who it is, how it speaks and where it looks. */
public final class ConnectionCommands {
  private static final String WRONG_PASSWORD =
      "WRONGPASS invalid username-password pair or user is disabled.";
  private static final String DEFAULT_USER = "default";
  private static final String TOO_MANY =
      "ERR too many wrong passwords from this address, try again in a second";
  private static final int RESP3 = 3;

  private ConnectionCommands() {}

  public static List<Command> all() {
    return List.of(
        Command.now(
            "ping -1 fast,+subscribed 0 0 0 connection 1.0.0 Returns PONG, or what it was given.",
            ConnectionCommands::ping),
        Command.now(
            "echo 2 loading,stale,fast 0 0 0 connection 1.0.0 Returns what it was given.",
            call -> Reply.bulk(call.word(1))),
        Command.onCall(
            "hello -1 noscript,loading,stale,fast,no_auth,no_multi 0 0 0 connection 6.0.0 Says how"
                + " the client speaks, and who it is.",
            ConnectionCommands::hello),
        Command.onCall(
            "auth -2 noscript,loading,stale,fast,no_auth,no_multi 0 0 0 connection 1.0.0 Says who"
                + " the client is.",
            ConnectionCommands::auth),
        Command.now(
            "select 2 loading,stale,fast,no_multi 0 0 0 connection 1.0.0 Changes to a store, by its"
                + " index or its name.",
            ConnectionCommands::select),
        Command.now(
            "quit -1 noscript,loading,stale,fast,no_auth,+subscribed,+transaction 0 0 0 connection"
                + " 1.0.0 Closes the connection.",
            call -> {
              call.session().peer().closeAfterReply();
              return Reply.OK;
            }),
        Command.now(
            "reset 1 noscript,loading,stale,fast,no_auth,+subscribed,+transaction 0 0 0 connection"
                + " 6.2.0 Makes the connection as new.",
            ConnectionCommands::reset));
  }

  /** Refuses names that would break a line of CLIENT LIST. */
  static String checkedName(byte[] word) {
    for (byte b : word) {
      if (b < '!' || b > '~') {
        throw new Refused(
            "ERR Client names cannot contain spaces, newlines or special characters.");
      }
    }
    return Words.text(word);
  }

  private static Reply ping(Call call) {
    if (call.count() > 2) {
      throw new Refused(call.command().wrongCount());
    }
    Session session = call.session();
    if (session.isSubscribed() && !session.isResp3()) {
      return Reply.array(
          List.of(
              Reply.bulk("pong"), call.count() == 2 ? Reply.bulk(call.word(1)) : Reply.bulk("")));
    }
    return call.count() == 2 ? Reply.bulk(call.word(1)) : Reply.status("PONG");
  }

  private static CompletableFuture<Reply> hello(Call call) {
    long version = 0;
    if (call.count() > 1) {
      version =
          Words.integer(call.word(1), "ERR Protocol version is not an integer or out of range");
      if (version < 2 || version > RESP3) {
        throw new Refused("NOPROTO unsupported protocol version");
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
        name = checkedName(call.word(++i));
      } else {
        throw new Refused(
            "ERR Syntax error in HELLO option '" + Words.shown(call.word(i), 128) + "'");
      }
    }
    int protocol = (int) version;
    String named = name;
    if (login > 0) {
      return login(
          call, call.text(login), call.word(login + 1), user -> hello(call, user, protocol, named));
    }
    return Stages.now(hello(call, call.session().user(), protocol, named));
  }

  private static Reply hello(Call call, @Nullable User user, int version, @Nullable String name) {
    if (user == null) {
      throw new Refused(
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
    return welcome(session);
  }

  private static Reply welcome(Session session) {
    return Reply.map(
        List.of(
            Reply.bulk("server"),
            Reply.bulk("redis"),
            Reply.bulk("version"),
            Reply.bulk(InfoText.REDIS_VERSION),
            Reply.bulk("proto"),
            Reply.of(session.isResp3() ? 3L : 2L),
            Reply.bulk("id"),
            Reply.of(session.id()),
            Reply.bulk("mode"),
            Reply.bulk("standalone"),
            Reply.bulk("role"),
            Reply.bulk("master"),
            Reply.bulk("modules"),
            Reply.EMPTY));
  }

  private static CompletableFuture<Reply> auth(Call call) {
    if (call.count() > 3) {
      throw new Refused(Refused.SYNTAX);
    }
    Authenticator users = call.realm().users();
    boolean named = call.count() == 3;
    if (!named && users.unauthenticated() != null) {
      throw new Refused(
          "ERR AUTH <password> called without any password configured for the default user."
              + " Are you sure your configuration is correct?");
    }
    return login(
        call,
        named ? call.text(1) : DEFAULT_USER,
        call.word(named ? 2 : 1),
        user -> {
          call.session().user(user);
          return Reply.OK;
        });
  }

  /** Answers a right password at once, and a wrong one late; see {@link FailedLogins}. */
  private static CompletableFuture<Reply> login(
      Call call, String name, byte[] password, Function<User, Reply> welcome) {
    FailedLogins failed = call.realm().clients().failedLogins();
    String address = call.session().address();
    if (!failed.mayTry(address, name)) {
      return Stages.now(Reply.error(TOO_MANY));
    }
    User user = call.realm().users().find(name, password);
    if (user != null) {
      return Stages.now(welcome.apply(user));
    }
    var answer = new CompletableFuture<Reply>();
    call.session()
        .peer()
        .later(
            failed.fail(address, name, call.realm().ticker().nanos()),
            () -> {
              failed.answered(address, name);
              answer.complete(Reply.error(WRONG_PASSWORD));
            });
    return answer;
  }

  private static Reply select(Call call) {
    Optional<OpenStore> named = call.realm().store(call.text(1));
    if (named.isEmpty()) {
      long index = Words.integer(call.word(1));
      if (index < 0 || index >= call.realm().stores().size()) {
        throw new Refused("ERR DB index is out of range");
      }
      named = Optional.of(call.realm().stores().get((int) index));
    }
    call.session().store(named.get());
    return Reply.OK;
  }

  private static Reply reset(Call call) {
    Session session = call.session();
    TransactionCommands.abandon(session);
    ChannelCommands.leaveAll(call);
    session.store(call.realm().stores().get(0));
    session.name("");
    session.resp3(false);
    @Nullable User user = call.realm().users().unauthenticated();
    session.user(user);
    return Reply.status("RESET");
  }
}
