package io.heatshield.testkit.redis;

import io.heatshield.testkit.net.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * A real Redis master with one replica, and three sentinels that watch it under the name {@value
 * #MASTER}.
 *
 * <p>The sentinels report a master as down after half a second. After a planned fail-over the old
 * master still accepts writes for eight to ten seconds, until the sentinels make it a replica.
 *
 * <p>Any thread may call any method.
 */
public final class RedisSentinelFixture implements AutoCloseable {
  /** The name of the master. */
  public static final String MASTER = "main";

  private static final int SENTINELS = 3;
  private static final String HOST = "127.0.0.1";
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration REPLY_TIMEOUT = Duration.ofSeconds(10);

  private final List<RedisFixture> servers = new ArrayList<>();
  private final List<RedisProcess> sentinels = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();

  private RedisSentinelFixture() {}

  /** Starts all, and waits until the replica has the data and the sentinels know each other. */
  public static RedisSentinelFixture start() {
    var fixture = new RedisSentinelFixture();
    try {
      RedisFixture master = RedisFixture.start();
      fixture.servers.add(master);
      fixture.servers.add(RedisFixture.start("replicaof " + HOST + " " + master.port()));
      for (int i = 0; i < SENTINELS; i++) {
        fixture.startSentinel(master.port());
      }
      fixture.awaitSettled();
      return fixture;
    } catch (IOException e) {
      fixture.close();
      throw new UncheckedIOException(e);
    } catch (RuntimeException e) {
      fixture.close();
      throw e;
    }
  }

  /** Returns {@code redis-sentinel://127.0.0.1:port,...#main}. */
  public URI uri() {
    return URI.create(
        ports.stream()
            .map(port -> HOST + ":" + port)
            .collect(Collectors.joining(",", "redis-sentinel://", "#" + MASTER)));
  }

  /** Returns the ports of the sentinels. */
  public List<Integer> ports() {
    return List.copyOf(ports);
  }

  /** Returns the server that the first sentinel reports as the master. */
  public RedisFixture master() {
    return at(masterPort(0));
  }

  /** Returns the other server. */
  public RedisFixture replica() {
    RedisFixture master = master();
    return servers.get(0) == master ? servers.get(1) : servers.get(0);
  }

  /** Starts a planned fail-over to the replica; returns when the sentinels have begun it. */
  public void failover() {
    await(
        () -> ask(0, "SENTINEL", "FAILOVER", MASTER).equals("OK"), "the fail-over does not begin");
  }

  /** Waits until all sentinels report a server as the master. */
  public void awaitMaster(RedisFixture server) {
    for (int i = 0; i < SENTINELS; i++) {
      int sentinel = i;
      await(
          () -> masterPort(sentinel) == server.port(), "a sentinel does not report the new master");
    }
  }

  /**
   * Waits until the sentinels agree on the master, the other server is its replica and has its
   * data, and a fail-over can begin.
   */
  public void awaitSettled() {
    await(this::isSettled, "the sentinels do not agree on the servers");
  }

  /** Stops a sentinel for good. */
  public void killSentinel(int index) {
    sentinels.get(index).kill();
  }

  /** Kills all and deletes their folders; safe to call twice. */
  @Override
  public void close() {
    sentinels.forEach(RedisProcess::destroy);
    servers.forEach(RedisFixture::close);
  }

  private void startSentinel(int masterPort) throws IOException {
    int port = FreePort.find();
    Path binary = RedisFixture.program();
    var process = new RedisProcess(Files.createTempDirectory("heatshield-sentinel"));
    sentinels.add(process);
    ports.add(port);
    process.start(
        binary,
        List.of(
            "bind " + HOST,
            "port " + port,
            "sentinel monitor " + MASTER + " " + HOST + " " + masterPort + " 2",
            "sentinel down-after-milliseconds " + MASTER + " 500",
            "sentinel failover-timeout " + MASTER + " 2000"),
        "--sentinel");
    int index = ports.size() - 1;
    await(() -> ask(index, "PING").equals("PONG"), "a sentinel does not start");
  }

  private boolean isSettled() {
    int port = masterPort(0);
    for (int i = 0; i < SENTINELS; i++) {
      String state = "\n" + ask(i, "SENTINEL", "MASTER", MASTER) + "\n";
      if (!sentinels.get(i).isAlive()) {
        continue;
      }
      if (masterPort(i) != port
          || !state.contains("\nflags\nmaster\n")
          || !state.contains("\nnum-slaves\n1\n")
          || !state.contains("\nnum-other-sentinels\n" + (SENTINELS - 1) + "\n")
          || !ask(i, "SENTINEL", "REPLICAS", MASTER).contains("\nflags\nslave\n")) {
        return false;
      }
    }
    RedisFixture master = at(port);
    RedisFixture other = servers.get(0) == master ? servers.get(1) : servers.get(0);
    return info(master).contains("role:master") && info(other).contains("master_link_status:up");
  }

  private static String info(RedisFixture server) {
    try {
      return server.command("INFO", "replication");
    } catch (UncheckedIOException | IllegalStateException down) {
      return "";
    }
  }

  private RedisFixture at(int port) {
    return servers.stream().filter(server -> server.port() == port).findFirst().orElseThrow();
  }

  private int masterPort(int sentinel) {
    String[] address = ask(sentinel, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER).split("\n", 2);
    return address.length == 2 ? Integer.parseInt(address[1]) : 0;
  }

  /** Returns the reply of a sentinel, the text of its error reply, or "" if it does not reply. */
  private String ask(int sentinel, String name, String... words) {
    try (RespConnection connection =
        RespConnection.open(HOST, ports.get(sentinel), REPLY_TIMEOUT)) {
      return connection.command(name, words);
    } catch (RedisErrorReply e) {
      return String.valueOf(e.getMessage());
    } catch (IOException e) {
      return "";
    }
  }

  private static void await(BooleanSupplier condition, String failure) {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    var never = new CountDownLatch(1);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(failure);
      }
      try {
        never.await(20, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while sentinels were changing", e);
      }
    }
  }
}
