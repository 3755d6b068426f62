package io.heatshield.testkit.redis;

import io.heatshield.testkit.net.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A real Redis server on loopback for one test; it can be paused, killed and restarted.
 *
 * <p>It does not persist unless configured to, uses its own temporary folder, and ends with {@link
 * #close} or with the JVM. Where the program cannot run, starting it skips the test.
 *
 * <pre>{@code
 * try (var redis = RedisFixture.start("appendonly yes", "appendfsync always")) {
 *   redis.command("SET", "k", "v");
 *   redis.kill();
 *   redis.restart();
 *   assertThat(redis.command("GET", "k")).isEqualTo("v");
 * }
 * }</pre>
 *
 * <p>Only {@code appendfsync always} keeps every acknowledged write across a kill: with the
 * default, Redis postpones the write to the file while an earlier one is being synced, and replies
 * at once.
 *
 * <p>Any thread may call any method; methods that change the process are mutually exclusive.
 */
public final class RedisFixture implements AutoCloseable {
  /*
   * Redis cannot bind to port 0, so it gets a port that was free a moment before. If another
   * process takes the port first, Redis exits and the next port is tried. The server is ready when
   * it reports our process id, so a different server on the port is never mistaken for ours.
   */
  private static final String HOST = "127.0.0.1";
  private static final int MAX_ATTEMPTS = 5;
  private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration REPLY_TIMEOUT = Duration.ofSeconds(10);
  private static final Set<String> RESERVED_SETTINGS =
      Set.of("bind", "cluster-port", "daemonize", "dir", "logfile", "port", "tls-port");

  private final Path binary;
  private final int port;
  private final List<String> configuration;
  private final @Nullable String password;
  private final RedisProcess process;
  private boolean paused;
  private boolean closed;

  private RedisFixture(Path binary, List<String> lines) throws IOException {
    this.binary = binary;
    port = FreePort.find();
    password = passwordIn(lines);
    process = new RedisProcess(Files.createTempDirectory("heatshield-redis"));
    configuration = new ArrayList<>();
    configuration.add("bind " + HOST);
    configuration.add("port " + port);
    configuration.add("save \"\"");
    configuration.addAll(lines);
  }

  /**
   * Starts a server and waits until it answers.
   *
   * @param lines the lines of redis.conf, except address and folder, which the fixture sets
   */
  public static RedisFixture start(String... lines) {
    List<String> checked = checked(lines);
    return start(() -> checked);
  }

  /** Starts a server whose configuration is supplied again for each attempt. */
  static RedisFixture start(Supplier<List<String>> lines) {
    Path binary = RedisBinary.orSkip();
    try {
      for (int i = 1; ; i++) {
        var fixture = new RedisFixture(binary, lines.get());
        try {
          fixture.launch();
          return fixture;
        } catch (IllegalStateException e) {
          boolean portTaken = fixture.process.log().contains("Address already in use");
          fixture.close();
          if (!portTaken || i == MAX_ATTEMPTS) {
            throw e;
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the path of redis-server, or skips the test where it cannot run. */
  public static Path program() {
    return RedisBinary.orSkip();
  }

  /** Returns the address that the server listens on. */
  public String host() {
    return HOST;
  }

  /** Returns the port that the server listens on; it stays the same across restarts. */
  public int port() {
    return port;
  }

  /** Returns {@code redis://127.0.0.1:port}, with the password if there is one. */
  public URI uri() {
    try {
      String user = password == null ? null : ":" + password;
      return new URI("redis", user, HOST, port, null, null, null);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the password cannot be part of an address", e);
    }
  }

  /** Returns the folder of the server's files. */
  public Path folder() {
    return process.folder();
  }

  /** Returns the id of the current or last process. */
  public synchronized long pid() {
    return process.pid();
  }

  /** Returns whether the process is alive; a paused process is. */
  public synchronized boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Sends one command on a new connection and returns the reply as {@link RespConnection} formats
   * it.
   *
   * @throws RedisErrorReply if the reply is an error
   * @throws UncheckedIOException if there is no reply
   */
  public String command(String name, String... arguments) {
    return ask(connection -> connection.command(name, arguments));
  }

  /** Sends one command of raw words, as {@link #command(String, String...)}. */
  public String command(byte[]... words) {
    return ask(connection -> connection.command(words));
  }

  /** Opens a connection that is logged in. */
  public RespConnection connect(Duration timeout) throws IOException {
    RespConnection connection = RespConnection.open(HOST, port, timeout);
    try {
      if (password != null) {
        connection.command("AUTH", password);
      }
      return connection;
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /**
   * Pauses the process (SIGSTOP): connections stay open and are still accepted, but get no reply.
   */
  public synchronized void pause() {
    requireAlive();
    process.pause();
    paused = true;
  }

  /** Resumes a paused process (SIGCONT). */
  public synchronized void resume() {
    requireAlive();
    process.signal("CONT");
    paused = false;
  }

  /** Kills the process (SIGKILL) and waits for its end; its files stay. */
  public synchronized void kill() {
    requireAlive();
    process.kill();
    paused = false;
  }

  /**
   * Starts the server again on the same port and folder and waits until it answers. A running
   * server is stopped first (SIGTERM).
   */
  public synchronized void restart() {
    if (closed) {
      throw new IllegalStateException("the fixture is closed");
    }
    if (paused && process.isAlive()) {
      resume();
    }
    process.stop();
    try {
      launch();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills the process and deletes its folder; safe to call twice. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      process.destroy();
    }
  }

  private void launch() throws IOException {
    process.start(binary, configuration);
    long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
    try {
      while (!isReady()) {
        if (!process.isAlive()) {
          throw new IllegalStateException("Redis did not start:\n" + process.log());
        }
        if (System.nanoTime() - deadline > 0) {
          throw new IllegalStateException(
              "Redis has started but does not answer:\n" + process.log());
        }
        process.pauseUnlessDead();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while Redis was starting", e);
    }
  }

  private boolean isReady() {
    try {
      String info = command("INFO");
      // Compare whole lines: async_loading:0 also ends in loading:0 but says nothing about startup.
      return info.contains("\nprocess_id:" + process.pid() + "\r\n")
          && info.contains("\nloading:0\r\n");
    } catch (UncheckedIOException | RedisErrorReply notYet) {
      return false;
    }
  }

  private String ask(Question question) {
    try (RespConnection connection = connect(REPLY_TIMEOUT)) {
      return question.put(connection);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void requireAlive() {
    if (!process.isAlive()) {
      throw new IllegalStateException("Redis is not running");
    }
  }

  static List<String> checked(String... lines) {
    for (String line : lines) {
      String name = firstWord(line);
      if (RESERVED_SETTINGS.contains(name)) {
        throw new IllegalArgumentException("lines must not contain " + name + ": " + line);
      }
    }
    return List.of(lines);
  }

  private static @Nullable String passwordIn(List<String> lines) {
    return lines.stream()
        .filter(line -> firstWord(line).equals("requirepass"))
        .map(line -> line.strip().substring("requirepass".length()).strip().replace("\"", ""))
        .reduce((first, last) -> last)
        .orElse(null);
  }

  private static String firstWord(String line) {
    return Arrays.stream(line.strip().split("\\s+", 2))
        .findFirst()
        .orElse("")
        .toLowerCase(Locale.ROOT);
  }

  private interface Question {
    String put(RespConnection connection) throws IOException;
  }
}
