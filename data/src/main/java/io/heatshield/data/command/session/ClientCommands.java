package io.heatshield.data.command.session;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Command;
import io.heatshield.data.command.CommandException;
import io.heatshield.data.command.CommandGroup;
import io.heatshield.key.KeyText;
import io.heatshield.resp.Reply;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** CLIENT and its subcommands. */
public final class ClientCommands {
  private static final int MAX_LIBRARY = 64;

  private ClientCommands() {}

  public static List<Command> all() {
    var children =
        new CommandGroup("connection", "noscript,loading,stale")
            .call(
                "client|id 2 - 5.0.0 Returns the ID of the connection.",
                call -> Reply.of(call.session().id()))
            .call(
                "client|setname 3 - 2.6.9 Sets the name of the connection.",
                ClientCommands::setName)
            .call(
                "client|getname 2 - 2.6.9 Returns the name of the connection.",
                ClientCommands::getName)
            .call(
                "client|info 2 - 6.2.0 Returns information about the connection.",
                call -> Reply.text(line(call, call.session())))
            .call(
                "client|list -2 - 2.4.0 Returns information about all connections.",
                ClientCommands::list)
            .call(
                "client|no-evict 3 - 7.0.0 Has no effect: no connection is evicted.",
                ClientCommands::noEvict)
            .call(
                "client|setinfo 4 - 7.2.0 Sets the name or version of the client library.",
                ClientCommands::setInfo)
            .call(
                "client|tracking -3 - 6.0.0 Is not supported.",
                call -> {
                  throw new CommandException(
                      "ERR CLIENT TRACKING is not supported: no invalidations are sent here");
                });
    return new CommandGroup("connection")
        .container("client -2 - 2.4.0 Shows and changes connections.", children)
        .commands();
  }

  private static Reply setName(Call call) {
    call.session().name(ConnectionCommands.name(call, 2));
    return Reply.OK;
  }

  private static Reply getName(Call call) {
    String name = call.session().name();
    return name.isEmpty() ? Reply.NULL : Reply.bulk(name);
  }

  private static Reply noEvict(Call call) {
    if (!call.is(2, "on") && !call.is(2, "off")) {
      throw new CommandException(CommandException.SYNTAX);
    }
    return Reply.OK;
  }

  private static Reply setInfo(Call call) {
    String option = call.lower(2);
    String text = call.text(3);
    boolean name = option.equals("lib-name");
    if (!name && !option.equals("lib-ver")) {
      throw new CommandException("ERR Unrecognized option '" + call.escaped(2, MAX_LIBRARY) + "'");
    }
    if (text.length() > MAX_LIBRARY || !text.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new CommandException(
          "ERR " + option + " cannot contain spaces, newlines or special characters.");
    }
    if (name) {
      call.session().library(text);
    } else {
      call.session().libraryVersion(text);
    }
    return Reply.OK;
  }

  private static Reply list(Call call) {
    Set<Long> ids = new HashSet<>();
    Predicate<Session> wanted = session -> true;
    if (call.count() > 3 && call.is(2, "id")) {
      for (int i = 3; i < call.count(); i++) {
        ids.add(call.integer(i, "ERR Invalid client ID"));
      }
      wanted = session -> ids.contains(session.id());
    } else if (call.count() == 4 && call.is(2, "type")) {
      boolean known = call.is(3, "normal") || call.is(3, "pubsub");
      wanted = session -> known;
    } else if (call.count() > 2) {
      throw new CommandException(CommandException.SYNTAX);
    }
    return Reply.text(
        call.server().clients().byId().stream()
            .filter(wanted)
            .map(session -> line(call, session))
            .collect(Collectors.joining()));
  }

  private static String line(Call call, Session session) {
    long now = call.server().ticker().nanos();
    User user = session.user();
    TransactionQueue queue = session.queue();
    Command last = session.last();
    return "id="
        + session.id()
        + " addr="
        + session.address()
        + " laddr="
        + session.localAddress()
        + " name="
        + KeyText.of(session.name())
        + " age="
        + TimeUnit.NANOSECONDS.toSeconds(now - session.createdNanos())
        + " idle="
        + TimeUnit.NANOSECONDS.toSeconds(now - session.seenNanos())
        + " flags="
        + (session.isSubscribed() ? "P" : queue != null ? "x" : "N")
        + " db="
        + session.store().index()
        + " sub="
        + session.subscriptions()
        + " psub=0 multi="
        + (queue == null ? -1 : queue.calls().size())
        + " cmd="
        + (last == null ? "NULL" : last.name())
        + " user="
        + (user == null ? "(none)" : user.name())
        + " resp="
        + (session.isResp3() ? 3 : 2)
        + " lib-name="
        + session.library()
        + " lib-ver="
        + session.libraryVersion()
        + "\n";
  }
}
