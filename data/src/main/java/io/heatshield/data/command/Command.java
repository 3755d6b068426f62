package io.heatshield.data.command;

import io.heatshield.resp.Reply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A command and the function that executes it; compared by identity.
 *
 * <p>The function of a command on keys runs as one atomic step on the keys that the arguments name.
 * It may run more than once, so it must have no effect except on its {@link KeyCall}. The function
 * of any other command runs once, on the connection's event loop. Both reply with an error by
 * throwing a {@link CommandException}.
 */
public final class Command {
  /** Stands for a command that does not exist. */
  static final Command UNKNOWN =
      new Command(CommandSpec.parse("unknown -1 - 0 0 0 none 0.0.0 None."), null, null, Map.of());

  private final CommandSpec spec;
  private final @Nullable Function<KeyCall, Reply> onKeys;
  private final @Nullable Function<Call, @Nullable CompletableFuture<Reply>> onCall;
  private final Map<String, Command> children;
  private final boolean write;
  private final boolean admin;
  private final boolean inPlace;

  Command(
      CommandSpec spec,
      @Nullable Function<KeyCall, Reply> onKeys,
      @Nullable Function<Call, @Nullable CompletableFuture<Reply>> onCall,
      Map<String, Command> children) {
    this.spec = spec;
    this.onKeys = onKeys;
    this.onCall = onCall;
    this.children = children;
    this.write = spec.has("write");
    this.admin = spec.has("admin");
    this.inPlace = spec.has("+inplace");
  }

  /**
   * Returns a command with subcommands.
   *
   * @param line the {@link CommandSpec} as text
   * @param bare executes the command without a subcommand
   */
  public static Command container(String line, Function<Call, Reply> bare, List<Command> children) {
    var byName = new LinkedHashMap<String, Command>();
    children.forEach(child -> byName.put(child.spec.shortName(), child));
    return new Command(
        CommandSpec.parse(line), null, call -> Replies.now(bare.apply(call)), byName);
  }

  public CommandSpec spec() {
    return spec;
  }

  /** Returns the name in lower case; that of a subcommand is {@code client|list}. */
  public String name() {
    return spec.name();
  }

  /** Returns whether it may change keys. */
  public boolean isWrite() {
    return write;
  }

  boolean isAdmin() {
    return admin;
  }

  /** Returns whether it changes the data structure of its key in place. */
  boolean changesInPlace() {
    return inPlace;
  }

  /** Returns the function of a command on keys, or null. */
  public @Nullable Function<KeyCall, Reply> onKeys() {
    return onKeys;
  }

  /**
   * Returns the function of a command without keys. For a command on keys, returns a faster
   * function for a call outside a transaction, or null; its result is null if it cannot execute the
   * call.
   */
  public @Nullable Function<Call, @Nullable CompletableFuture<Reply>> onCall() {
    return onCall;
  }

  /** Returns the subcommands by name. */
  public Map<String, Command> children() {
    return children;
  }

  /** Returns the keys among the arguments. */
  public List<byte[]> keys(byte[][] args) {
    return spec.keys(args);
  }

  /** Returns the error of a call with the wrong number of arguments. */
  String wrongCount() {
    return "ERR wrong number of arguments for '" + spec.name() + "' command";
  }
}
