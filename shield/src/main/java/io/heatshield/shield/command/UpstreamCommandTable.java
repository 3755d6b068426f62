package io.heatshield.shield.command;

import io.heatshield.data.command.Command;
import io.heatshield.data.command.CommandTable;
import io.heatshield.resp.Reply;
import io.heatshield.resp.RequestScanner;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The commands of the upstream as its own COMMAND describes them: names, flags, key positions.
 * Immutable.
 */
public final class UpstreamCommandTable {
  private static final int MAX_COMMANDS = 4096;
  private static final int MAX_NAME = 64;

  /** By name; a subcommand is {@code client|list}. */
  private final Map<String, UpstreamCommand> commands = new LinkedHashMap<>();

  private final CommandTable index;

  private UpstreamCommandTable(List<?> entries) {
    var parents = new ArrayList<Command>();
    for (Object entry : entries) {
      UpstreamCommand parent = entry instanceof List<?> parts ? add(parts) : null;
      if (parent != null) {
        parents.add(parent.command());
      }
    }
    index = new CommandTable(parents);
  }

  /** Returns a table without commands: everything is forwarded and nothing is counted. */
  public static UpstreamCommandTable empty() {
    return new UpstreamCommandTable(List.of());
  }

  /** Parses a reply to COMMAND; entries that are not understood are left out. */
  public static UpstreamCommandTable of(@Nullable Object reply) {
    return new UpstreamCommandTable(reply instanceof List<?> entries ? entries : List.of());
  }

  /** Returns whether another table has the same commands in the same order. */
  public boolean isSame(UpstreamCommandTable other) {
    return description().equals(other.description());
  }

  /** Returns the names and indexes of all commands. */
  public CommandTable commands() {
    return index;
  }

  /** Returns the command that a request names, or null if the upstream did not describe it. */
  public @Nullable UpstreamCommand find(RequestScanner words) {
    String name = lowerCase(words, 0);
    UpstreamCommand found = commands.get(name);
    if (found == null || found.command().children().isEmpty() || words.count() < 2) {
      return found;
    }
    return commands.getOrDefault(name + "|" + lowerCase(words, 1), found);
  }

  private static String lowerCase(RequestScanner words, int position) {
    byte[] word = words.length(position) > MAX_NAME ? null : words.word(position);
    return word == null
        ? ""
        : new String(word, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
  }

  private List<String> description() {
    return commands.values().stream().map(one -> one.name() + one.keys()).toList();
  }

  /** Adds a command and its subcommands; returns null if it is not understood or the table full. */
  private @Nullable UpstreamCommand add(List<?> parts) {
    if (commands.size() >= MAX_COMMANDS
        || parts.size() < 6
        || !(parts.get(2) instanceof List<?> flagNames)) {
      return null;
    }
    String name = KeySpec.text(parts.get(0));
    if (!name.matches("[!-~]{1," + MAX_NAME + "}")) {
      return null;
    }
    List<String> flags = flagNames.stream().map(KeySpec::text).toList();
    boolean write = flags.contains("write");
    var children = new ArrayList<Command>();
    if (parts.size() > 9 && parts.get(9) instanceof List<?> entries) {
      for (Object entry : entries) {
        UpstreamCommand child = entry instanceof List<?> subcommand ? add(subcommand) : null;
        if (child != null) {
          children.add(child.command());
        }
      }
    }
    String line =
        name + " -1 " + (write ? "write" : "readonly") + " 0 0 0 upstream 0.0.0 Is forwarded.";
    var command =
        new UpstreamCommand(
            Command.container(line, call -> Reply.NOTHING, children),
            keys(name, parts, write),
            CommandKind.of(name),
            ClusterTarget.of(name),
            flags.contains("blocking") || name.equals("wait"));
    commands.put(name, command);
    return command;
  }

  private static List<KeySpec> keys(String name, List<?> parts, boolean write) {
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
      // Redis describes every key except the one after STORE.
      specs.add(new KeySpec("store", 2, false, 0, 1, 0, true));
    }
    return List.copyOf(specs);
  }
}
