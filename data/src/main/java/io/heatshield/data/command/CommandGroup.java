package io.heatshield.data.command;

import io.heatshield.resp.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Declares the commands of one group.
 *
 * <p>A command is a line and a function. The line has the name, the arity, flags separated by
 * commas or a dash for none, the version of Redis that introduced the command, and a summary; see
 * {@link CommandSpec}. Our own flags are {@code +transaction} (runs inside a transaction instead of
 * being queued), {@code +subscribed} (allowed to a subscribed RESP2 client) and {@code +inplace}
 * (changes a data structure in place).
 */
public final class CommandGroup {
  private static final String NO_KEYS = "0 0 0";
  private static final String FIRST = "1 1 1";

  private final String group;
  private final String flags;
  private final List<Command> commands = new ArrayList<>();

  public CommandGroup(String group) {
    this(group, "");
  }

  /** Creates a group whose commands share flags. */
  public CommandGroup(String group, String flags) {
    this.group = group;
    this.flags = flags;
  }

  /** Adds a command that reads the key that is its first argument. */
  public CommandGroup read(String line, Function<KeyCall, Reply> body) {
    return read(line, FIRST, body);
  }

  /** Adds a command that reads keys at positions: the first, the last and the step. */
  public CommandGroup read(String line, String keys, Function<KeyCall, Reply> body) {
    return add(line, "readonly", keys, body, null);
  }

  /** Adds a command that writes the key that is its first argument. */
  public CommandGroup write(String line, Function<KeyCall, Reply> body) {
    return write(line, FIRST, body);
  }

  /** Adds a command that writes keys at positions: the first, the last and the step. */
  public CommandGroup write(String line, String keys, Function<KeyCall, Reply> body) {
    return add(line, "write", keys, body, null);
  }

  /**
   * Adds a command on the key that is its first argument.
   *
   * @param mode {@code readonly} or {@code write}
   * @param alone executes a call outside a transaction faster, or returns null
   */
  public CommandGroup onKey(
      String line,
      String mode,
      Function<KeyCall, Reply> body,
      Function<Call, @Nullable CompletableFuture<Reply>> alone) {
    return add(line, mode, FIRST, body, alone);
  }

  /** Adds a command without keys. */
  public CommandGroup call(String line, Function<Call, Reply> body) {
    return async(line, call -> Replies.now(body.apply(call)));
  }

  /** Adds a command without keys that may reply later. */
  public CommandGroup async(String line, Function<Call, CompletableFuture<Reply>> body) {
    return async(line, NO_KEYS, body);
  }

  /** Adds a command that names keys without reading or writing their values. */
  public CommandGroup async(
      String line, String keys, Function<Call, CompletableFuture<Reply>> body) {
    return add(line, "", keys, null, body);
  }

  /** Adds a command that has only subcommands; HELP is added to them. */
  public CommandGroup container(String line, CommandGroup children) {
    return container(
        line,
        call -> {
          throw call.wrongCount();
        },
        children);
  }

  /** Adds a command with subcommands and with a function of its own; HELP is added to them. */
  public CommandGroup container(String line, Function<Call, Reply> bare, CommandGroup children) {
    String parent = line.substring(0, line.indexOf(' '));
    var help = new CommandGroup("server");
    help.call(
        parent + "|help 2 loading,stale 5.0.0 Returns help about the subcommands.",
        call -> help(call, parent));
    children.commands.addAll(help.commands);
    commands.add(Command.container(fullLine(line, "", NO_KEYS), bare, children.commands));
    return this;
  }

  /** Returns the commands in the order of their declaration. */
  public List<Command> commands() {
    return List.copyOf(commands);
  }

  private CommandGroup add(
      String line,
      String mode,
      String keys,
      @Nullable Function<KeyCall, Reply> onKeys,
      @Nullable Function<Call, @Nullable CompletableFuture<Reply>> onCall) {
    CommandSpec spec = CommandSpec.parse(fullLine(line, mode, keys));
    commands.add(new Command(spec, onKeys, onCall, Map.of()));
    return this;
  }

  private String fullLine(String line, String mode, String keys) {
    String[] fields = line.split(" ", 5);
    var all = new ArrayList<>(List.of(flags, mode, fields[2]));
    all.removeIf(flag -> flag.isEmpty() || flag.equals("-"));
    String joined = all.isEmpty() ? "-" : String.join(",", all);
    return String.join(" ", fields[0], fields[1], joined, keys, group, fields[3], fields[4]);
  }

  private static Reply help(Call call, String parent) {
    var lines = new ArrayList<Reply>();
    String upper = parent.toUpperCase(Locale.ROOT);
    lines.add(Reply.status(upper + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:"));
    Command container = call.server().table().find(parent);
    Map<String, Command> children = container == null ? Map.of() : container.children();
    children.forEach(
        (name, child) -> {
          lines.add(Reply.status(name.toUpperCase(Locale.ROOT)));
          lines.add(Reply.status("    " + child.spec().summary()));
        });
    return Reply.array(lines);
  }
}
