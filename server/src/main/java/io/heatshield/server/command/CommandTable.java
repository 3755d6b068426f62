package io.heatshield.server.command;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All commands, found by the bytes of their names in any case.
 *
 * <p>Immutable; any thread may look up.
 */
public final class CommandTable {
  private final Map<String, Command> byName = new LinkedHashMap<>();
  private final Command[] slots;
  private final int mask;
  private int all;

  /** Creates a table of commands; a later one with the same name takes the place of an earlier. */
  public CommandTable(Collection<Command> commands) {
    for (Command command : commands) {
      byName.put(command.name(), command);
    }
    int size = Integer.highestOneBit(Math.max(4, 4 * byName.size())) << 1;
    slots = new Command[size];
    mask = size - 1;
    for (Command command : byName.values()) {
      command.index(all++);
      command.children().values().forEach(child -> child.index(all++));
      int slot = hash(command.name()) & mask;
      while (slots[slot] != null) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = command;
    }
  }

  /** Returns the command of a name, or null. */
  @Nullable Command find(byte[] name) {
    int hash = 0;
    for (byte b : name) {
      hash = 31 * hash + Words.lower(b);
    }
    for (int slot = hash & mask; slots[slot] != null; slot = (slot + 1) & mask) {
      if (Words.is(name, slots[slot].name())) {
        return slots[slot];
      }
    }
    return null;
  }

  /** Returns the command of a name, which may be that of a subcommand, or null. */
  @Nullable Command find(String name) {
    int bar = name.indexOf('|');
    if (bar < 0) {
      return byName.get(name);
    }
    Command parent = byName.get(name.substring(0, bar));
    return parent == null ? null : parent.children().get(name.substring(bar + 1));
  }

  /** Returns the commands, without their subcommands, in the order that they were given. */
  List<Command> all() {
    return List.copyOf(byName.values());
  }

  /** Returns the commands and their subcommands. */
  List<Command> everything() {
    return byName.values().stream()
        .flatMap(command -> Stream.concat(Stream.of(command), command.children().values().stream()))
        .toList();
  }

  /** Returns the number of commands and subcommands: above every index. */
  public int size() {
    return all;
  }

  private static int hash(String name) {
    int hash = 0;
    for (int i = 0; i < name.length(); i++) {
      hash = 31 * hash + name.charAt(i);
    }
    return hash;
  }
}
