package io.heatshield.data.command;

import io.heatshield.resp.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** HELP of commands with subcommands, made from their lines. */
public final class HelpText {
  private HelpText() {}

  public static Command command(String parent) {
    return Command.now(
        parent + "|help 2 loading,stale 0 0 0 server 5.0.0 Says what the subcommands do.",
        call -> {
          var lines = new ArrayList<Reply>();
          String upper = parent.toUpperCase(Locale.ROOT);
          lines.add(
              Reply.status(upper + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:"));
          Command container = call.realm().table().find(parent);
          List<Command> children =
              container == null ? List.of() : List.copyOf(container.children().values());
          for (Command child : children) {
            String name = child.name().substring(child.name().indexOf('|') + 1);
            lines.add(Reply.status(name.toUpperCase(Locale.ROOT)));
            lines.add(Reply.status("    " + child.summary()));
          }
          return Reply.array(lines);
        });
  }
}
