package io.heatshield.data.command;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All commands by name, which may be written in any case.
 *
 * <p>Immutable; any thread may look up.
 */
public final class CommandTable {
  private final Map<String, Command> byName = new LinkedHashMap<>();
  private final int longest;

  /** Creates a table; of commands with the same name, the last one counts. */
  public CommandTable(Collection<Command> commands) {
    commands.forEach(command -> byName.put(command.name(), command));
    longest = byName.keySet().stream().mapToInt(String::length).max().orElse(0);
  }

  /** Returns the command with a name, or null. */
  public @Nullable Command find(byte[] name) {
    if (name.length > longest) {
      return null;
    }
    byte[] lower = new byte[name.length];
    for (int i = 0; i < name.length; i++) {
      lower[i] = (byte) ArgumentParser.lower(name[i]);
    }
    return byName.get(new String(lower, StandardCharsets.ISO_8859_1));
  }

  /** Returns the command or subcommand with a name in lower case, or null. */
  public @Nullable Command find(String name) {
    int bar = name.indexOf('|');
    if (bar < 0) {
      return byName.get(name);
    }
    Command parent = byName.get(name.substring(0, bar));
    return parent == null ? null : parent.children().get(name.substring(bar + 1));
  }

  /** Returns the commands, without their subcommands, in their order of declaration. */
  public List<Command> all() {
    return List.copyOf(byName.values());
  }

  /** Returns the number of commands and subcommands. */
  public int size() {
    return byName.values().stream().mapToInt(command -> 1 + command.children().size()).sum();
  }
}
