package io.heatshield.data.command.server;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Command;
import io.heatshield.data.command.HelpText;
import io.heatshield.data.command.Refused;
import io.heatshield.data.command.Words;
import io.heatshield.resp.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** COMMAND and its subcommands: the table, told to clients. */
public final class CommandCommands {
  private CommandCommands() {}

  public static List<Command> all() {
    List<Command> children =
        List.of(
            Command.now(
                "command|count 2 loading,stale 0 0 0 server 2.8.13 Returns the number of commands.",
                call -> Reply.of((long) call.realm().table().all().size())),
            Command.now(
                "command|info -2 loading,stale 0 0 0 server 2.8.13 Returns facts about commands.",
                call -> named(call, CommandCommands::info)),
            Command.now(
                "command|docs -2 loading,stale 0 0 0 server 7.0.0 Returns sentences about"
                    + " commands.",
                CommandCommands::docs),
            Command.now(
                "command|list -2 loading,stale 0 0 0 server 7.0.0 Returns the names of commands.",
                call ->
                    Reply.array(
                        call.realm().table().all().stream()
                            .map(command -> Reply.bulk(command.name()))
                            .toList())),
            Command.now(
                "command|getkeys -4 loading,stale 0 0 0 server 2.8.13 Returns the keys of a"
                    + " command.",
                CommandCommands::getKeys),
            HelpText.command("command"));
    return List.of(
        Command.container(
            "command -1 loading,stale 0 0 0 server 2.8.13 Returns facts about all commands.",
            call ->
                Reply.array(
                    call.realm().table().all().stream().map(CommandCommands::info).toList()),
            children));
  }

  private static Reply named(Call call, Function<Command, Reply> body) {
    if (call.count() == 2) {
      return Reply.array(call.realm().table().all().stream().map(body).toList());
    }
    var rows = new ArrayList<Reply>();
    for (int i = 2; i < call.count(); i++) {
      Command command = call.realm().table().find(Words.name(call.word(i)));
      rows.add(command == null ? Reply.NULL : body.apply(command));
    }
    return Reply.array(rows);
  }

  private static Reply info(Command command) {
    return Reply.array(
        List.of(
            Reply.bulk(command.name()),
            Reply.of((long) command.arity()),
            Reply.set(statuses(command.flags())),
            Reply.of((long) command.firstKey()),
            Reply.of((long) command.lastKey()),
            Reply.of((long) command.step()),
            Reply.set(List.of(Reply.status("@" + command.group()))),
            Reply.EMPTY,
            command.firstKey() == 0 ? Reply.EMPTY : Reply.array(List.of(keySpec(command))),
            Reply.array(command.children().values().stream().map(CommandCommands::info).toList())));
  }

  private static Reply keySpec(Command command) {
    int last = command.lastKey() < 0 ? command.lastKey() : command.lastKey() - command.firstKey();
    return Reply.map(
        List.of(
            Reply.bulk("flags"),
            Reply.set(List.of(Reply.status(command.isWrite() ? "RW" : "RO"))),
            Reply.bulk("begin_search"),
            Reply.map(
                List.of(
                    Reply.bulk("type"),
                    Reply.bulk("index"),
                    Reply.bulk("spec"),
                    Reply.map(List.of(Reply.bulk("index"), Reply.of((long) command.firstKey()))))),
            Reply.bulk("find_keys"),
            Reply.map(
                List.of(
                    Reply.bulk("type"),
                    Reply.bulk("range"),
                    Reply.bulk("spec"),
                    Reply.map(
                        List.of(
                            Reply.bulk("lastkey"),
                            Reply.of((long) last),
                            Reply.bulk("keystep"),
                            Reply.of((long) command.step()),
                            Reply.bulk("limit"),
                            Reply.ZERO))))));
  }

  /** Returns the flags that Redis knows, without those of this house. */
  private static List<Reply> statuses(List<String> flags) {
    return flags.stream().filter(flag -> !flag.startsWith("+")).map(Reply::status).toList();
  }

  private static Reply docs(Call call) {
    var pairs = new ArrayList<Reply>();
    if (call.count() == 2) {
      call.realm().table().all().forEach(command -> document(command, pairs));
    }
    for (int i = 2; i < call.count(); i++) {
      Command command = call.realm().table().find(Words.name(call.word(i)));
      if (command != null) {
        document(command, pairs);
      }
    }
    return Reply.map(pairs);
  }

  private static void document(Command command, List<Reply> pairs) {
    var facts = new ArrayList<Reply>();
    facts.add(Reply.bulk("summary"));
    facts.add(Reply.bulk(command.summary()));
    facts.add(Reply.bulk("since"));
    facts.add(Reply.bulk(command.since()));
    facts.add(Reply.bulk("group"));
    facts.add(Reply.bulk(command.group()));
    if (!command.children().isEmpty()) {
      var children = new ArrayList<Reply>();
      command.children().values().forEach(child -> document(child, children));
      facts.add(Reply.bulk("subcommands"));
      facts.add(Reply.map(children));
    }
    pairs.add(Reply.bulk(command.name()));
    pairs.add(Reply.map(facts));
  }

  private static Reply getKeys(Call call) {
    Command command = call.realm().table().find(call.word(2));
    if (command == null) {
      throw new Refused("ERR Invalid command specified");
    }
    byte[][] words = Arrays.copyOfRange(call.words(), 2, call.count());
    if (!command.takes(words.length)) {
      throw new Refused("ERR Invalid number of arguments specified for command");
    }
    List<byte[]> keys = command.keys(words);
    if (keys.isEmpty()) {
      throw new Refused("ERR The command has no key arguments");
    }
    return Reply.array(keys.stream().map(Reply::bulk).toList());
  }
}
