package io.heatshield.shield;

import io.heatshield.data.command.Command;
import io.heatshield.data.command.CommandTable;
import io.heatshield.resp.Reply;
import io.heatshield.resp.RequestScanner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The commands of the upstream as its own COMMAND describes them: names, flags, key positions.
 * Immutable.
 */
final class UpstreamCommandTable {
  private static final int MAX_COMMANDS = 4096;
  private static final int MAX_NAME = 64;

  private final CommandTable commands;
  private final List<String> names;
  private final @Nullable UpstreamCommand[] slots;
  private final int mask;

  private UpstreamCommandTable(List<UpstreamCommand> all) {
    commands = new CommandTable(all.stream().map(UpstreamCommand::command).toList());
    names =
        all.stream()
            .map(one -> one.command().name() + one.keys() + one.children().keySet())
            .toList();
    int size = Integer.highestOneBit(Math.max(4, 4 * all.size())) << 1;
    slots = new UpstreamCommand[size];
    mask = size - 1;
    for (UpstreamCommand one : all) {
      String name = one.command().name();
      int slot = 0;
      for (int i = 0; i < name.length(); i++) {
        slot = 31 * slot + name.charAt(i);
      }
      while (slots[slot & mask] != null) {
        slot++;
      }
      slots[slot & mask] = one;
    }
  }

  /** Returns a table without commands: everything is forwarded and nothing is counted. */
  static UpstreamCommandTable empty() {
    return new UpstreamCommandTable(List.of());
  }

  /** Returns the table that a reply to COMMAND describes. */
  static UpstreamCommandTable of(@Nullable Object reply) {
    var commands = new LinkedHashMap<String, UpstreamCommand>();
    if (reply instanceof List<?> entries) {
      for (Object entry : entries) {
        UpstreamCommand one = entry instanceof List<?> parts ? command(parts) : null;
        if (one != null && commands.size() < MAX_COMMANDS) {
          commands.put(one.command().name(), one);
        }
      }
    }
    return new UpstreamCommandTable(List.copyOf(commands.values()));
  }

  /** Returns whether another table has the same commands in the same order. */
  boolean isSame(UpstreamCommandTable other) {
    return names.equals(other.names);
  }

  /** Returns the names and indexes of all commands. */
  CommandTable commands() {
    return commands;
  }

  /** Returns the command of these words, or null if the upstream did not describe it. */
  @Nullable UpstreamCommand find(RequestScanner words) {
    int hash = 0;
    int length = words.length(0);
    for (int i = 0; i < length; i++) {
      int b = words.at(0, i);
      hash = 31 * hash + (b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b);
    }
    UpstreamCommand found = slots[hash & mask];
    while (found != null && !words.is(0, found.command().name())) {
      hash++;
      found = slots[hash & mask];
    }
    if (found == null || found.children().isEmpty() || words.count() < 2) {
      return found;
    }
    for (Map.Entry<String, UpstreamCommand> child : found.children().entrySet()) {
      if (words.is(1, child.getKey())) {
        return child.getValue();
      }
    }
    return found;
  }

  private static @Nullable UpstreamCommand command(List<?> parts) {
    if (parts.size() < 6 || !(parts.get(2) instanceof List<?> flagNames)) {
      return null;
    }
    String name = KeySpec.text(parts.get(0));
    if (!name.matches("[!-~]{1," + MAX_NAME + "}")) {
      return null;
    }
    List<String> flags = flagNames.stream().map(KeySpec::text).toList();
    boolean write = flags.contains("write");
    var children = new HashMap<String, UpstreamCommand>();
    var commands = new ArrayList<Command>();
    if (parts.size() > 9 && parts.get(9) instanceof List<?> below) {
      for (Object one : below) {
        UpstreamCommand child = one instanceof List<?> subcommand ? command(subcommand) : null;
        if (child != null) {
          String full = child.command().name();
          children.put(full.substring(full.indexOf('|') + 1), child);
          commands.add(child.command());
        }
      }
    }
    String line =
        name + " -1 " + (write ? "write" : "readonly") + " 0 0 0 upstream 0.0.0 Is handed on.";
    return new UpstreamCommand(
        Command.container(line, call -> Reply.NOTHING, commands),
        specs(name, parts, write),
        CommandKind.of(name),
        ClusterTarget.of(name),
        flags.contains("blocking") || name.equals("wait"),
        Map.copyOf(children));
  }

  private static List<KeySpec> specs(String name, List<?> parts, boolean write) {
    var specs = new ArrayList<KeySpec>();
    if (parts.size() > 8 && parts.get(8) instanceof List<?> described) {
      for (Object one : described) {
        KeySpec spec = one == null ? null : KeySpec.parse(one);
        if (spec != null) {
          specs.add(spec);
        }
      }
    } else if (KeySpec.number(parts.get(3)) > 0) {
      int first = KeySpec.number(parts.get(3));
      int step = Math.max(1, KeySpec.number(parts.get(5)));
      specs.add(KeySpec.at(first, KeySpec.number(parts.get(4)), step, write));
    }
    if (name.equals("sort")) {
      // The one key that Redis itself does not describe.
      specs.add(new KeySpec("store", 2, false, 0, 1, 0, true));
    }
    return List.copyOf(specs);
  }
}
