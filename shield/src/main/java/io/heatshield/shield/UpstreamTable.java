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
 * The commands of the upstream, as its own COMMAND tells them: names, flags, where the keys are.
 *
 * <p>Immutable; any thread may look up.
 */
final class UpstreamTable {
  private static final int MAX_COMMANDS = 4096;
  private static final int MAX_NAME = 64;

  private final CommandTable commands;
  private final List<String> names;
  private final @Nullable Known[] slots;
  private final int mask;

  private UpstreamTable(List<Known> known) {
    commands = new CommandTable(known.stream().map(Known::command).toList());
    names =
        known.stream()
            .map(one -> one.command().name() + one.keys() + one.children().keySet())
            .toList();
    int size = Integer.highestOneBit(Math.max(4, 4 * known.size())) << 1;
    slots = new Known[size];
    mask = size - 1;
    for (Known one : known) {
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

  /** Returns a table without a command: everything is handed on and nothing is counted. */
  static UpstreamTable none() {
    return new UpstreamTable(List.of());
  }

  /** Returns the table that an answer to COMMAND tells. */
  static UpstreamTable of(@Nullable Object reply) {
    var known = new LinkedHashMap<String, Known>();
    if (reply instanceof List<?> entries) {
      for (Object entry : entries) {
        Known one = entry instanceof List<?> parts ? known(parts) : null;
        if (one != null && known.size() < MAX_COMMANDS) {
          known.put(one.command().name(), one);
        }
      }
    }
    return new UpstreamTable(List.copyOf(known.values()));
  }

  /** Returns whether another table has the same commands in the same order. */
  boolean isSame(UpstreamTable other) {
    return names.equals(other.names);
  }

  /** Returns the names and indexes of all commands. */
  CommandTable commands() {
    return commands;
  }

  /** Returns the command of these words, or null if the upstream did not tell of it. */
  @Nullable Known find(RequestScanner words) {
    int hash = 0;
    int length = words.length(0);
    for (int i = 0; i < length; i++) {
      int b = words.at(0, i);
      hash = 31 * hash + (b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b);
    }
    Known found = slots[hash & mask];
    while (found != null && !words.is(0, found.command().name())) {
      hash++;
      found = slots[hash & mask];
    }
    if (found == null || found.children().isEmpty() || words.count() < 2) {
      return found;
    }
    for (Map.Entry<String, Known> child : found.children().entrySet()) {
      if (words.is(1, child.getKey())) {
        return child.getValue();
      }
    }
    return found;
  }

  private static @Nullable Known known(List<?> parts) {
    if (parts.size() < 6 || !(parts.get(2) instanceof List<?> told)) {
      return null;
    }
    String name = KeySpec.text(parts.get(0));
    if (!name.matches("[!-~]{1," + MAX_NAME + "}")) {
      return null;
    }
    List<String> flags = told.stream().map(KeySpec::text).toList();
    boolean write = flags.contains("write");
    var children = new HashMap<String, Known>();
    var commands = new ArrayList<Command>();
    if (parts.size() > 9 && parts.get(9) instanceof List<?> below) {
      for (Object one : below) {
        Known child = one instanceof List<?> list ? known(list) : null;
        if (child != null) {
          String full = child.command().name();
          children.put(full.substring(full.indexOf('|') + 1), child);
          commands.add(child.command());
        }
      }
    }
    String line =
        name + " -1 " + (write ? "write" : "readonly") + " 0 0 0 upstream 0.0.0 Is handed on.";
    return new Known(
        Command.container(line, call -> Reply.NOTHING, commands),
        specs(name, parts, write),
        Effect.of(name),
        Placing.of(name),
        write,
        flags.contains("blocking") || name.equals("wait"),
        Map.copyOf(children));
  }

  private static List<KeySpec> specs(String name, List<?> parts, boolean write) {
    var specs = new ArrayList<KeySpec>();
    if (parts.size() > 8 && parts.get(8) instanceof List<?> told) {
      for (Object one : told) {
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
