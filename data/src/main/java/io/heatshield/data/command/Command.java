package io.heatshield.data.command;

import io.heatshield.resp.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One command: its name, how many words it takes, which of them are keys, and what it does.
 *
 * <p>A command is written as a line and a function. The line has the name; the number of words, or
 * with a minus the least number; flags between commas, or a dash; the first key, the last key (-1:
 * the last word) and the step between keys (with the flag movablekeys: one key, a number, and as
 * many keys); the group; the version of Redis that has it; and a sentence. A function on keys runs
 * as one atomic step on the keys that the line names, and may run more than once: it looks at its
 * call and does nothing else. Any other runs on the connection's event loop.
 */
public final class Command {
  /** A function of keys. */
  @FunctionalInterface
  public interface OnKeys {
    /** Returns the reply; what it throws as a refusal is the reply too. */
    Reply run(KeyCall call);
  }

  /** A function whose answer may come later. */
  @FunctionalInterface
  public interface OnCall {
    /** Returns the reply, now or later. */
    CompletableFuture<Reply> run(Call call);
  }

  /** A shorter way for a command on keys that is not part of a transaction. */
  @FunctionalInterface
  public interface Alone {
    /** Returns the reply, now or later, or null if the call must go the long way. */
    @Nullable CompletableFuture<Reply> run(Call call);
  }

  /** A function of a connection or the server, with its answer at once. */
  @FunctionalInterface
  public interface Now {
    /** Returns the reply. */
    Reply run(Call call);
  }

  private static final int FIELDS = 9;

  /** Stands for whatever is no command. */
  static final Command UNKNOWN =
      new Command("unknown -1 - 0 0 0 none 0.0.0 None.", null, null, null, null, Map.of());

  private final String name;
  private final int arity;
  private final List<String> flags;
  private final int firstKey;
  private final int lastKey;
  private final int step;
  private final String group;
  private final String since;
  private final String summary;
  private final @Nullable OnKeys onKeys;
  private final @Nullable Alone alone;
  private final @Nullable OnCall onCall;
  private final @Nullable Now now;
  private final Map<String, Command> children;
  private final boolean write;
  private final boolean admin;
  private final boolean free;
  private final boolean alwaysRuns;
  private final boolean neverQueued;
  private final boolean whileSubscribed;
  private final boolean inPlace;
  private final boolean counted;
  private int index = -1;

  private Command(
      String line,
      @Nullable OnKeys onKeys,
      @Nullable Alone alone,
      @Nullable OnCall onCall,
      @Nullable Now now,
      Map<String, Command> children) {
    String[] fields = line.split(" ", FIELDS);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("line must have " + FIELDS + " parts: " + line);
    }
    this.name = fields[0];
    this.arity = Integer.parseInt(fields[1]);
    this.flags = fields[2].equals("-") ? List.of() : List.of(fields[2].split(",", -1));
    this.firstKey = Integer.parseInt(fields[3]);
    this.lastKey = Integer.parseInt(fields[4]);
    this.step = Integer.parseInt(fields[5]);
    this.group = fields[6];
    this.since = fields[7];
    this.summary = fields[8];
    this.onKeys = onKeys;
    this.alone = alone;
    this.onCall = onCall;
    this.now = now;
    this.children = children;
    this.write = flags.contains("write");
    this.admin = flags.contains("admin");
    this.free = flags.contains("no_auth");
    this.neverQueued = flags.contains("no_multi");
    this.alwaysRuns = flags.contains("+transaction");
    this.whileSubscribed = flags.contains("+subscribed");
    this.inPlace = flags.contains("+inplace");
    this.counted = flags.contains("movablekeys");
  }

  /** Returns a command that works on the keys it names. */
  public static Command onKeys(String line, OnKeys body) {
    return new Command(line, body, null, null, null, Map.of());
  }

  /** Returns a command on keys with a shorter way where it stands alone. */
  public static Command onKeys(String line, OnKeys body, Alone alone) {
    return new Command(line, body, alone, null, null, Map.of());
  }

  /** Returns a command whose answer may come later. */
  public static Command onCall(String line, OnCall body) {
    return new Command(line, null, null, body, null, Map.of());
  }

  /** Returns a command that answers at once. */
  public static Command now(String line, Now body) {
    return new Command(line, null, null, null, body, Map.of());
  }

  /** Returns a command whose second word says what to do, with those words. */
  public static Command container(String line, @Nullable Now bare, List<Command> children) {
    var byName = new LinkedHashMap<String, Command>();
    children.forEach(child -> byName.put(child.name.substring(child.name.indexOf('|') + 1), child));
    return new Command(line, null, null, null, bare, byName);
  }

  /** Returns the name in lower case; that of a subcommand is {@code client|list}. */
  public String name() {
    return name;
  }

  /** Returns the number of words, or the least number with a minus. */
  public int arity() {
    return arity;
  }

  /** Returns what is known of it, in the words of Redis. */
  public List<String> flags() {
    return flags;
  }

  /** Returns whether it may change keys. */
  public boolean isWrite() {
    return write;
  }

  /** Returns whether only admins may run it. */
  boolean isAdmin() {
    return admin;
  }

  /** Returns whether clients may run it that have not said who they are. */
  boolean isFree() {
    return free;
  }

  /** Returns whether it has no place in a transaction. */
  boolean isNeverQueued() {
    return neverQueued;
  }

  /** Returns whether it runs at once even inside a transaction. */
  boolean alwaysRuns() {
    return alwaysRuns;
  }

  /** Returns whether a RESP2 client that is subscribed may run it. */
  boolean runsWhileSubscribed() {
    return whileSubscribed;
  }

  /** Returns whether it changes the structure of its one key where that is. */
  boolean changesInPlace() {
    return inPlace;
  }

  /** Returns the place of the first key, or 0 if it has none. */
  public int firstKey() {
    return firstKey;
  }

  /** Returns the place of the last key; -1 is the last word. */
  public int lastKey() {
    return lastKey;
  }

  /** Returns the step from key to key. */
  public int step() {
    return step;
  }

  public String group() {
    return group;
  }

  public String since() {
    return since;
  }

  public String summary() {
    return summary;
  }

  public @Nullable OnKeys onKeys() {
    return onKeys;
  }

  @Nullable Alone alone() {
    return alone;
  }

  @Nullable OnCall onCall() {
    return onCall;
  }

  public @Nullable Now now() {
    return now;
  }

  public Map<String, Command> children() {
    return children;
  }

  /** Returns the place in its table. */
  public int index() {
    return index;
  }

  void index(int place) {
    index = place;
  }

  /** Returns whether a command may have so many words. */
  public boolean takes(int words) {
    return arity >= 0 ? words == arity : words >= -arity;
  }

  /** Returns the place after the last key of a command with so many words. */
  int keysEnd(int words) {
    return lastKey < 0 ? words + lastKey + 1 : Math.min(words, lastKey + 1);
  }

  /** Returns the place of the only key among so many words, or 0 if there is not one alone. */
  int onlyKey(int words) {
    return !counted && keysEnd(words) == firstKey + 1 ? firstKey : 0;
  }

  /** Returns the keys among the words. */
  public List<byte[]> keys(byte[][] words) {
    if (firstKey == 0) {
      return List.of();
    }
    if (counted) {
      return countedKeys(words);
    }
    int end = keysEnd(words.length);
    if (end == firstKey + 1) {
      return List.of(words[firstKey]);
    }
    if (step == 1) {
      return Arrays.asList(words).subList(firstKey, end);
    }
    var keys = new ArrayList<byte[]>();
    for (int i = firstKey; i < end; i += step) {
      keys.add(words[i]);
    }
    return keys;
  }

  /** Returns the first key, and those after it as many as the word between says. */
  private List<byte[]> countedKeys(byte[][] words) {
    int from = firstKey + 2;
    var keys = new ArrayList<byte[]>();
    keys.add(words[firstKey]);
    boolean named = words.length >= from && Words.isInteger(words[firstKey + 1]);
    long count = named ? Words.integer(words[firstKey + 1]) : 0;
    if (count > 0 && count <= words.length - from) {
      keys.addAll(Arrays.asList(words).subList(from, from + (int) count));
    }
    return keys;
  }

  /** Returns the error of a command with too few or too many words. */
  public String wrongCount() {
    return "ERR wrong number of arguments for '" + name + "' command";
  }

  @Override
  public String toString() {
    return name.toUpperCase(Locale.ROOT);
  }
}
