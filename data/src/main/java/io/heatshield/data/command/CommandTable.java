package io.heatshield.data.command;

import java.nio.charset.StandardCharsets;
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
  /*
   * A name of up to seven letters is a number: a 1, so that no name is the end of another, and a byte for each letter. Such
   * names lie in slots by their number, which is compared at once; the others are looked up as text.
   */
  private static final int SHORT = Long.BYTES - 1;
  private static final long ODD = 0x9e3779b97f4a7c15L;

  private final Map<String, Command> byName = new LinkedHashMap<>();
  private final long[] names;
  private final Command[] slots;
  private final int shift;
  private int longest;
  private int all;

  /** Creates a table of commands; a later one with the same name takes the place of an earlier. */
  public CommandTable(Collection<Command> commands) {
    for (Command command : commands) {
      byName.put(command.name(), command);
    }
    int size = Integer.highestOneBit(Math.max(4, 4 * byName.size())) << 1;
    slots = new Command[size];
    names = new long[size];
    shift = Long.numberOfLeadingZeros(size) + 1;
    for (Command command : byName.values()) {
      command.index(all++);
      command.children().values().forEach(child -> child.index(all++));
      byte[] name = command.name().getBytes(StandardCharsets.US_ASCII);
      longest = Math.max(longest, name.length);
      if (name.length <= SHORT) {
        int slot = slot(number(name));
        names[slot] = number(name);
        slots[slot] = command;
      }
    }
  }

  /** Returns the command of a name, or null. */
  public @Nullable Command find(byte[] name) {
    if (name.length <= SHORT) {
      return slots[slot(number(name))];
    }
    return name.length > longest ? null : byName.get(lower(name));
  }

  /** Returns the command of a name, which may be that of a subcommand, or null. */
  public @Nullable Command find(String name) {
    int bar = name.indexOf('|');
    if (bar < 0) {
      return byName.get(name);
    }
    Command parent = byName.get(name.substring(0, bar));
    return parent == null ? null : parent.children().get(name.substring(bar + 1));
  }

  /** Returns the commands, without their subcommands, in the order that they were given. */
  public List<Command> all() {
    return List.copyOf(byName.values());
  }

  /** Returns the commands and their subcommands. */
  public List<Command> everything() {
    return byName.values().stream()
        .flatMap(command -> Stream.concat(Stream.of(command), command.children().values().stream()))
        .toList();
  }

  /** Returns the number of commands and subcommands: above every index. */
  public int size() {
    return all;
  }

  /** Returns the slot of a name, or the free one where it would be. */
  private int slot(long name) {
    int slot = (int) ((name * ODD) >>> shift);
    while (names[slot] != name && names[slot] != 0) {
      slot = (slot + 1) & (names.length - 1);
    }
    return slot;
  }

  private static String lower(byte[] name) {
    byte[] lower = new byte[name.length];
    for (int i = 0; i < name.length; i++) {
      lower[i] = (byte) Words.lower(name[i]);
    }
    return new String(lower, StandardCharsets.ISO_8859_1);
  }

  private static long number(byte[] name) {
    long number = 1;
    for (byte letter : name) {
      number = (number << Byte.SIZE) | (Words.lower(letter) & 0xff);
    }
    return number;
  }
}
