package io.heatshield.data.command.server;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Command;
import io.heatshield.data.command.CommandException;
import io.heatshield.data.command.CommandGroup;
import io.heatshield.data.command.CommandSpec;
import io.heatshield.data.command.MapReply;
import io.heatshield.resp.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** COMMAND and its subcommands, which describe the command table. */
public final class CommandCommands {
  private CommandCommands() {}

  public static List<Command> all() {
    var children =
        new CommandGroup("server", "loading,stale")
            .call(
                "command|count 2 - 2.8.13 Returns the number of commands.",
                call -> Reply.of(call.server().table().all().size()))
            .call(
                "command|info -2 - 2.8.13 Returns information about commands.",
                call -> infos(named(call)))
            .call(
                "command|docs -2 - 7.0.0 Returns documentation of commands.",
                call -> docs(named(call)))
            .call("command|list -2 - 7.0.0 Returns the names of commands.", CommandCommands::list)
            .call(
                "command|getkeys -4 - 2.8.13 Returns the keys of a command.",
                CommandCommands::getKeys);
    return new CommandGroup("server", "loading,stale")
        .container(
            "command -1 - 2.8.13 Returns information about all commands.",
            call -> infos(call.server().table().all()),
            children)
        .commands();
  }

  /** Returns the commands that the arguments name, null for unknown ones; all without arguments. */
  private static List<@Nullable Command> named(Call call) {
    if (call.count() == 2) {
      return new ArrayList<>(call.server().table().all());
    }
    var named = new ArrayList<@Nullable Command>();
    IntStream.range(2, call.count())
        .forEach(i -> named.add(call.server().table().find(call.lower(i))));
    return named;
  }

  private static Reply infos(Collection<? extends @Nullable Command> commands) {
    return Reply.array(
        commands.stream().map(command -> command == null ? Reply.NULL : info(command)).toList());
  }

  private static Reply info(Command command) {
    CommandSpec spec = command.spec();
    // Clients get only the flags that Redis knows.
    List<Reply> flags =
        spec.flags().stream().filter(flag -> !flag.startsWith("+")).map(Reply::status).toList();
    return Reply.array(
        List.of(
            Reply.bulk(spec.name()),
            Reply.of(spec.arity()),
            Reply.set(flags),
            Reply.of(spec.firstKey()),
            Reply.of(spec.lastKey()),
            Reply.of(spec.step()),
            Reply.set(List.of(Reply.status("@" + spec.group()))),
            Reply.EMPTY,
            spec.firstKey() == 0 ? Reply.EMPTY : Reply.array(List.of(keySpec(command))),
            infos(command.children().values())));
  }

  private static Reply keySpec(Command command) {
    CommandSpec spec = command.spec();
    int last = spec.lastKey() < 0 ? spec.lastKey() : spec.lastKey() - spec.firstKey();
    Reply index = new MapReply().add("index", spec.firstKey()).build();
    Reply range =
        new MapReply().add("lastkey", last).add("keystep", spec.step()).add("limit", 0).build();
    return new MapReply()
        .add("flags", Reply.set(List.of(Reply.status(command.isWrite() ? "RW" : "RO"))))
        .add("begin_search", new MapReply().add("type", "index").add("spec", index).build())
        .add("find_keys", new MapReply().add("type", "range").add("spec", range).build())
        .build();
  }

  private static Reply docs(Collection<? extends @Nullable Command> commands) {
    var docs = new MapReply();
    commands.stream()
        .filter(Objects::nonNull)
        .forEach(command -> docs.add(command.name(), doc(command)));
    return docs.build();
  }

  private static Reply doc(Command command) {
    CommandSpec spec = command.spec();
    var doc =
        new MapReply()
            .add("summary", spec.summary())
            .add("since", spec.since())
            .add("group", spec.group());
    if (!command.children().isEmpty()) {
      doc.add("subcommands", docs(command.children().values()));
    }
    return doc.build();
  }

  private static Reply list(Call call) {
    return Reply.array(
        call.server().table().all().stream().map(command -> Reply.bulk(command.name())).toList());
  }

  private static Reply getKeys(Call call) {
    Command command = call.server().table().find(call.arg(2));
    if (command == null) {
      throw new CommandException("ERR Invalid command specified");
    }
    byte[][] args = Arrays.copyOfRange(call.args(), 2, call.count());
    if (!command.spec().takes(args.length)) {
      throw new CommandException("ERR Invalid number of arguments specified for command");
    }
    List<byte[]> keys = command.keys(args);
    if (keys.isEmpty()) {
      throw new CommandException("ERR The command has no key arguments");
    }
    return Reply.array(keys.stream().map(Reply::bulk).toList());
  }
}
