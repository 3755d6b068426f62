package io.heatshield.cli.demo.store;

import io.heatshield.resp.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The data of the embedded store and its Redis commands.
 *
 * <p>Supports the commands of the demo's clients, of the shield and of the rate limiter. Every
 * script is executed as the limiter's fixed-window script. For one thread.
 */
public final class StoreData {
  private static final Reply WRONG_NUMBER = Reply.error("ERR wrong number of arguments");
  private static final int SCAN_ALL = 0;

  /** A value and the time at which it expires, in milliseconds; 0 if it does not. */
  @SuppressWarnings("ArrayRecordComponent") // Read, never compared.
  private record Entry(byte[] value, long expiresAt) {}

  /** The side effects of a command on its connection. */
  public interface Connection {
    void resp3();

    void track();
  }

  private final Map<String, Entry> entries = new HashMap<>();
  private @Nullable String changed;

  /** Returns the reply to a command. */
  public Reply execute(byte[][] words, long nowMillis, Connection connection) {
    changed = null;
    String name = text(words[0]).toLowerCase(Locale.ROOT);
    return switch (name) {
      case "get" -> words.length == 2 ? get(text(words[1]), nowMillis) : WRONG_NUMBER;
      case "set" -> words.length == 3 ? set(text(words[1]), words[2]) : WRONG_NUMBER;
      case "del" -> words.length == 2 ? delete(text(words[1])) : WRONG_NUMBER;
      case "pttl" -> words.length == 2 ? timeToLive(text(words[1]), nowMillis) : WRONG_NUMBER;
      case "dbsize" -> Reply.of(entries.size());
      case "scan" -> scan();
      case "ping" -> words.length == 1 ? Reply.status("PONG") : Reply.bulk(words[1]);
      case "role" -> role();
      case "hello" -> hello(words, connection);
      case "client" -> client(words, connection);
      case "command" -> commands();
      case "evalsha" -> words.length == 6 ? fixedWindow(words, nowMillis) : WRONG_NUMBER;
      case "select", "readonly" -> Reply.OK;
      default -> Reply.error("ERR unknown command");
    };
  }

  /** Returns the key that the last command changed, or null. */
  public @Nullable String changed() {
    return changed;
  }

  /** Returns the key of a command, or an empty string. */
  public static String keyOf(byte[][] words) {
    boolean script = text(words[0]).equalsIgnoreCase("evalsha");
    int place = script ? 3 : 1;
    return words.length > place ? text(words[place]) : "";
  }

  /** Sets a value. */
  public void put(String key, byte[] value) {
    entries.put(key, new Entry(value, 0));
  }

  public static String text(byte[] word) {
    return new String(word, StandardCharsets.ISO_8859_1);
  }

  private Reply get(String key, long nowMillis) {
    Entry entry = live(key, nowMillis);
    return entry == null ? Reply.NULL : Reply.bulk(entry.value);
  }

  private Reply set(String key, byte[] value) {
    put(key, value);
    changed = key;
    return Reply.OK;
  }

  private Reply delete(String key) {
    boolean existed = entries.remove(key) != null;
    changed = existed ? key : null;
    return Reply.of(existed ? 1 : 0);
  }

  private Reply timeToLive(String key, long nowMillis) {
    Entry entry = live(key, nowMillis);
    if (entry == null) {
      return Reply.of(-2);
    }
    return Reply.of(entry.expiresAt == 0 ? -1 : entry.expiresAt - nowMillis);
  }

  private Reply scan() {
    List<Reply> keys = new ArrayList<>(entries.size());
    entries
        .keySet()
        .forEach(key -> keys.add(Reply.bulk(key.getBytes(StandardCharsets.ISO_8859_1))));
    return Reply.array(List.of(Reply.bulk(Integer.toString(SCAN_ALL)), Reply.array(keys)));
  }

  /** Adds hits to an expiring counter: {@code EVALSHA digest 1 key hits milliseconds}. */
  private Reply fixedWindow(byte[][] words, long nowMillis) {
    String key = text(words[3]);
    long hits = Long.parseLong(text(words[4]));
    Entry entry = live(key, nowMillis);
    long before = entry == null ? 0 : Long.parseLong(text(entry.value));
    long expiresAt = entry == null ? nowMillis + Long.parseLong(text(words[5])) : entry.expiresAt;
    byte[] count = Long.toString(before + hits).getBytes(StandardCharsets.US_ASCII);
    entries.put(key, new Entry(count, expiresAt));
    return Reply.of(before + hits);
  }

  private @Nullable Entry live(String key, long nowMillis) {
    Entry entry = entries.get(key);
    if (entry != null && entry.expiresAt != 0 && entry.expiresAt <= nowMillis) {
      entries.remove(key);
      return null;
    }
    return entry;
  }

  private static Reply hello(byte[][] words, Connection connection) {
    if (words.length > 1 && text(words[1]).equals("3")) {
      connection.resp3();
    }
    return Reply.map(
        List.of(
            Reply.bulk("server"),
            Reply.bulk("redis"),
            Reply.bulk("version"),
            Reply.bulk("7.0.0"),
            Reply.bulk("role"),
            Reply.bulk("master")));
  }

  private static Reply client(byte[][] words, Connection connection) {
    if (words.length > 2
        && text(words[1]).equalsIgnoreCase("tracking")
        && text(words[2]).equalsIgnoreCase("on")) {
      connection.track();
    }
    return Reply.OK;
  }

  private static Reply role() {
    return Reply.array(List.of(Reply.bulk("master"), Reply.of(0), Reply.EMPTY));
  }

  private static Reply commands() {
    return Reply.array(
        List.of(
            Reply.array(command("get", 2, "readonly", 1)),
            Reply.array(command("set", 3, "write", 1)),
            Reply.array(command("del", 2, "write", 1)),
            Reply.array(command("pttl", 2, "readonly", 1)),
            withSubcommand(
                command("client", -2, "noscript", 0), command("client|setname", 3, "noscript", 0)),
            Reply.array(command("hello", -1, "noscript", 0)),
            Reply.array(command("ping", -1, "fast", 0))));
  }

  /** Returns an entry of the COMMAND reply: name, arity, flags and key positions. */
  private static List<Reply> command(String name, int arity, String flag, int firstKey) {
    return List.of(
        Reply.bulk(name),
        Reply.of(arity),
        Reply.array(List.of(Reply.status(flag))),
        Reply.of(firstKey),
        Reply.of(firstKey),
        Reply.of(firstKey));
  }

  /** Returns a command with one subcommand; three empty lists precede the subcommands. */
  private static Reply withSubcommand(List<Reply> command, List<Reply> subcommand) {
    var all = new ArrayList<>(command);
    all.addAll(List.of(Reply.EMPTY, Reply.EMPTY, Reply.EMPTY));
    all.add(Reply.array(List.of(Reply.array(subcommand))));
    return Reply.array(all);
  }
}
