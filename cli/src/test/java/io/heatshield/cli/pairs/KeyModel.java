package io.heatshield.cli.pairs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A model of a Redis with strings and its replies, for commands whose times do not pass in a test.
 *
 * <p>Replies are written as {@link RespClient} shows them; every time to live is {@code (ttl)}.
 */
final class KeyModel {
  /** A value, and whether it has a time to live. */
  record Entry(String value, boolean expires) {}

  private static final String OK = "OK";
  private static final String NIL = "nil";

  private final Map<String, Entry> entries = new TreeMap<>();

  /** Returns a model with the same keys. */
  KeyModel copy() {
    var copy = new KeyModel();
    copy.entries.putAll(entries);
    return copy;
  }

  /** Returns the names of all keys. */
  Set<String> keys() {
    return Set.copyOf(entries.keySet());
  }

  /** Returns what a key holds. */
  Optional<Entry> find(String key) {
    return Optional.ofNullable(entries.get(key));
  }

  /** Sets what a key holds; empty for nothing. */
  void put(String key, Optional<Entry> entry) {
    entry.ifPresentOrElse(held -> entries.put(key, held), () -> entries.remove(key));
  }

  /** Removes all keys. */
  void clear() {
    entries.clear();
  }

  /** Runs one command and returns its reply. */
  String run(List<String> words) {
    String key = words.size() > 1 ? words.get(1) : "";
    List<String> rest = words.subList(1, words.size());
    return switch (words.get(0)) {
      case "PING" -> "PONG";
      case "GET" -> bulk(key);
      case "SET" -> set(key, words.get(2), words.subList(3, words.size()));
      case "SETNX" -> integer(put(key, words.get(2), !entries.containsKey(key)));
      case "GETDEL" -> remove(key);
      case "STRLEN" -> integer(text(key).length());
      case "APPEND" -> append(key, words.get(2));
      case "INCRBY" -> increment(key, Long.parseLong(words.get(2)));
      case "MGET" -> rest.stream().map(this::bulk).toList().toString();
      case "MSET" -> putAll(rest);
      case "MSETNX" -> putAllIfNone(rest);
      case "DEL" -> integer(rest.stream().filter(one -> entries.remove(one) != null).count());
      case "EXISTS" -> integer(rest.stream().filter(entries::containsKey).count());
      case "EXPIRE" -> expire(key, Long.parseLong(words.get(2)));
      case "PERSIST" -> persist(key);
      case "TTL" -> find(key).map(entry -> entry.expires() ? "(ttl)" : "(-1)").orElse("(-2)");
      case "TYPE" -> entries.containsKey(key) ? "string" : "none";
      case "RENAME" -> rename(key, words.get(2));
      case "RENAMENX" -> renameIfNone(key, words.get(2));
      case "DBSIZE" -> integer(entries.size());
      case "FLUSHALL" -> flush();
      default -> throw new IllegalArgumentException("command must be modelled: " + words);
    };
  }

  private String set(String key, String value, List<String> options) {
    String before = bulk(key);
    Entry held = entries.get(key);
    boolean allowed =
        !(options.contains("NX") && held != null) && !(options.contains("XX") && held == null);
    if (allowed) {
      boolean keeps = options.contains("KEEPTTL") && held != null && held.expires();
      entries.put(key, new Entry(value, keeps || options.contains("EX")));
    }
    return options.contains("GET") ? before : allowed ? OK : NIL;
  }

  private int put(String key, String value, boolean allowed) {
    if (allowed) {
      entries.put(key, new Entry(value, false));
    }
    return allowed ? 1 : 0;
  }

  private String remove(String key) {
    String before = bulk(key);
    entries.remove(key);
    return before;
  }

  private String append(String key, String more) {
    String value = text(key) + more;
    entries.put(key, new Entry(value, find(key).map(Entry::expires).orElse(false)));
    return integer(value.length());
  }

  private String increment(String key, long by) {
    String held = find(key).map(Entry::value).orElse("0");
    if (!isInteger(held)) {
      return "-ERR value is not an integer or out of range";
    }
    long value = Long.parseLong(held) + by;
    entries.put(key, new Entry(Long.toString(value), find(key).map(Entry::expires).orElse(false)));
    return integer(value);
  }

  private String putAll(List<String> pairs) {
    for (int i = 0; i < pairs.size(); i += 2) {
      entries.put(pairs.get(i), new Entry(pairs.get(i + 1), false));
    }
    return OK;
  }

  private String putAllIfNone(List<String> pairs) {
    for (int i = 0; i < pairs.size(); i += 2) {
      if (entries.containsKey(pairs.get(i))) {
        return integer(0);
      }
    }
    putAll(pairs);
    return integer(1);
  }

  private String expire(String key, long seconds) {
    Entry held = entries.get(key);
    if (held == null) {
      return integer(0);
    }
    put(key, Optional.of(new Entry(held.value(), true)).filter(kept -> seconds > 0));
    return integer(1);
  }

  private String persist(String key) {
    Entry held = entries.get(key);
    if (held == null || !held.expires()) {
      return integer(0);
    }
    entries.put(key, new Entry(held.value(), false));
    return integer(1);
  }

  private String rename(String key, String to) {
    Entry held = entries.remove(key);
    if (held == null) {
      return "-ERR no such key";
    }
    entries.put(to, held);
    return OK;
  }

  private String renameIfNone(String key, String to) {
    if (!entries.containsKey(key)) {
      return "-ERR no such key";
    }
    if (entries.containsKey(to)) {
      return integer(0);
    }
    rename(key, to);
    return integer(1);
  }

  private String flush() {
    entries.clear();
    return OK;
  }

  /** Runs commands as one transaction and returns the replies on its way. */
  List<String> transaction(List<List<String>> commands) {
    var replies = new ArrayList<String>();
    replies.add(OK);
    commands.forEach(command -> replies.add("QUEUED"));
    replies.add(commands.stream().map(this::run).toList().toString());
    return replies;
  }

  private String text(String key) {
    return find(key).map(Entry::value).orElse("");
  }

  private String bulk(String key) {
    return find(key).map(entry -> "\"" + entry.value() + "\"").orElse(NIL);
  }

  private static boolean isInteger(String text) {
    try {
      return Long.toString(Long.parseLong(text)).equals(text);
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static String integer(long value) {
    return "(" + value + ")";
  }
}
