package io.heatshield.data.command.session;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Command;
import io.heatshield.data.command.HelpText;
import io.heatshield.data.command.Refused;
import io.heatshield.data.command.Words;
import io.heatshield.key.KeyText;
import io.heatshield.resp.Reply;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** CLIENT and its subcommands. */
public final class ClientCommands {
  private static final int MAX_LIBRARY = 64;

  private ClientCommands() {}

  public static List<Command> all() {
    List<Command> children =
        List.of(
            Command.now(
                "client|id 2 noscript,loading,stale 0 0 0 connection 5.0.0 Returns the number of"
                    + " the connection.",
                call -> Reply.of(call.session().id())),
            Command.now(
                "client|setname 3 noscript,loading,stale 0 0 0 connection 2.6.9 Names the"
                    + " connection.",
                ClientCommands::setName),
            Command.now(
                "client|getname 2 noscript,loading,stale 0 0 0 connection 2.6.9 Returns the name of"
                    + " the connection.",
                call ->
                    call.session().name().isEmpty()
                        ? Reply.NULL
                        : Reply.bulk(call.session().name())),
            Command.now(
                "client|info 2 noscript,loading,stale 0 0 0 connection 6.2.0 Describes the"
                    + " connection.",
                call -> Reply.text(line(call, call.session()) + "\n")),
            Command.now(
                "client|list -2 noscript,loading,stale 0 0 0 connection 2.4.0 Describes all"
                    + " connections.",
                ClientCommands::list),
            Command.now(
                "client|no-evict 3 noscript,loading,stale 0 0 0 connection 7.0.0 Is accepted: no"
                    + " connection is closed for memory.",
                ClientCommands::noEvict),
            Command.now(
                "client|setinfo 4 noscript,loading,stale 0 0 0 connection 7.2.0 Says which library"
                    + " the client uses.",
                ClientCommands::setInfo),
            Command.now(
                "client|tracking -3 noscript,loading,stale 0 0 0 connection 6.0.0 Is refused.",
                call ->
                    Reply.error(
                        "ERR CLIENT TRACKING is not supported: no invalidations are sent here")),
            HelpText.command("client"));
    return List.of(
        Command.container(
            "client -2 - 0 0 0 connection 2.4.0 Shows and changes connections.", null, children));
  }

  private static Reply setName(Call call) {
    call.session().name(ConnectionCommands.checkedName(call.word(2)));
    return Reply.OK;
  }

  private static Reply noEvict(Call call) {
    if (!call.is(2, "on") && !call.is(2, "off")) {
      throw new Refused(Refused.SYNTAX);
    }
    return Reply.OK;
  }

  private static Reply setInfo(Call call) {
    String text = call.text(3);
    boolean plain = text.length() <= MAX_LIBRARY && text.chars().allMatch(c -> c > ' ' && c < 0x7f);
    if (call.is(2, "lib-name")) {
      require(plain, "lib-name");
      call.session().library(text);
    } else if (call.is(2, "lib-ver")) {
      require(plain, "lib-ver");
      call.session().libraryVersion(text);
    } else {
      throw new Refused("ERR Unrecognized option '" + Words.shown(call.word(2), MAX_LIBRARY) + "'");
    }
    return Reply.OK;
  }

  private static void require(boolean plain, String option) {
    if (!plain) {
      throw new Refused(
          "ERR " + option + " cannot contain spaces, newlines or special characters.");
    }
  }

  private static Reply list(Call call) {
    Set<Long> ids = new HashSet<>();
    boolean none = false;
    if (call.count() > 3 && call.is(2, "id")) {
      for (int i = 3; i < call.count(); i++) {
        ids.add(Words.integer(call.word(i), "ERR Invalid client ID"));
      }
    } else if (call.count() == 4 && call.is(2, "type")) {
      none = !call.is(3, "normal") && !call.is(3, "pubsub");
    } else if (call.count() > 2) {
      throw new Refused(Refused.SYNTAX);
    }
    boolean nobody = none;
    return Reply.text(
        call.realm().clients().byId().stream()
            .filter(session -> !nobody && (ids.isEmpty() || ids.contains(session.id())))
            .map(session -> line(call, session) + "\n")
            .collect(Collectors.joining()));
  }

  private static String line(Call call, Session session) {
    long now = call.realm().ticker().nanos();
    User user = session.user();
    Queue queue = session.queue();
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
        + Objects.requireNonNull(session.library())
        + " lib-ver="
        + session.libraryVersion();
  }
}
