package io.heatshield.testkit.redis;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A sentinel on loopback that reports the server chosen by the test as the master, for any master
 * name. It publishes no events.
 *
 * <p>Any thread may call any method.
 */
public final class ScriptedSentinel implements AutoCloseable {
  private final ScriptedRedis server = ScriptedRedis.start(this::reply);
  private volatile int master;
  private volatile long epoch;

  private ScriptedSentinel(int master) {
    this.master = master;
  }

  /** Starts a sentinel that reports the server on a port of loopback as the master, in epoch 0. */
  public static ScriptedSentinel of(int master) {
    return new ScriptedSentinel(master);
  }

  /** Changes the reported master. */
  public synchronized void setMaster(int newMaster, long newEpoch) {
    master = newMaster;
    epoch = newEpoch;
  }

  /** Returns the port that clients connect to. */
  public int port() {
    return server.port();
  }

  /** Returns how often the command with this name, in capitals, was received. */
  public long count(String name) {
    return server.count(name);
  }

  /** Closes the port and all connections; safe to call twice. */
  @Override
  public void close() {
    server.close();
  }

  private synchronized String reply(List<String> words) {
    if (!words.get(0).equals("SENTINEL")) {
      return "+OK\r\n";
    }
    return words.get(1).equals("MASTER")
        ? array("config-epoch", Long.toString(epoch))
        : array("127.0.0.1", Integer.toString(master));
  }

  private static String array(String... words) {
    return Stream.of(words)
        .map(word -> "$" + word.length() + "\r\n" + word + "\r\n")
        .collect(Collectors.joining("", "*" + words.length + "\r\n", ""));
  }
}
