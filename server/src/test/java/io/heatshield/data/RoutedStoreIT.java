package io.heatshield.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.server.StartException;
import io.heatshield.server.TestServer;
import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.redis.RedisFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands that read and write several keys at once, by clients at the same time, to a store on
 * disk that keeps often written keys apart: every reply is that of a real Redis, and none is
 * missing.
 *
 * <p>Each client has keys of its own, so that its replies do not depend on the others; all of them
 * write the shared keys {@code hot} and {@code count} in the same batches.
 */
class RoutedStoreIT {
  private static final int CLIENTS = 4;
  private static final int STEPS = 1500;
  private static final List<String> TEMPLATES =
      List.of(
          "mset hot V K V",
          "mset K V hot V K V K V",
          "mset K V K V",
          "msetnx K V K V",
          "msetnx K V K V K V",
          "set K V",
          "set K V EX 1000",
          "set K V GET",
          "set K V KEEPTTL GET",
          "set K V XX GET",
          "set K V NX",
          "setex K 1000 V",
          "getset K V",
          "getdel K",
          "getex K EX 1000",
          "getex K PERSIST",
          "append K V",
          "setrange K 3 V",
          "incr K",
          "incrby K 7",
          "decrby K 3",
          "incrbyfloat K 0.5",
          "rename K K",
          "renamenx K K",
          "del K K",
          "expire K 1000",
          "persist K",
          "mget K K K K",
          "get K",
          "exists K K K");

  @TempDir
  @SuppressWarnings("NullAway.Init") // Set before the test.
  Path folder;

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void replies_ofBatchesWithHotKeys_areThoseOfRedis() throws Exception {
    long seed = System.nanoTime();
    TestServer server = start();
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    boolean stopped;
    try (RedisFixture redis = RedisFixture.start("databases 1")) {
      var clients = new ArrayList<Future<Integer>>();
      for (int i = 0; i < CLIENTS; i++) {
        var client = new Client(redis, server.respPort(), "c" + i + ":", seed + i);
        clients.add(threads.submit(client::run));
      }
      int counted = 0;
      for (Future<Integer> client : clients) {
        counted += client.get();
      }

      try (RawResp last = server.connect()) {
        assertThat(last.call("INCRBY", "count", "0")).isEqualTo(":" + counted + "\r\n");
      }
      assertThat(moves(server)).as("keys that changed sides").isGreaterThan(CLIENTS);
    } finally {
      threads.shutdownNow();
      stopped = server.server().stop(Duration.ofSeconds(10));
    }
    assertThat(stopped).isTrue();
  }

  private TestServer start() throws IOException, StartException {
    return TestServer.start(
        folder,
        TestServer.section(folder.resolve("state")),
        String.format(
            Locale.ROOT,
            """
            stores:
              - name: main
                engine: rocksdb
                path: %s
                write_limit: { mode: off }
                routing: { mode: enforce, threshold: 3, ring: { slot: 20ms, window_slots: 2 } }
            """,
            folder.resolve("data")));
  }

  private static double moves(TestServer server) {
    return server
        .get("metrics")
        .lines()
        .filter(line -> line.startsWith("heatshield_store_routing_moves_total{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** One client, with connections to both servers. */
  private static final class Client {
    private final RedisFixture redis;
    private final int port;
    private final String prefix;
    private final long seed;
    private final Random random;

    Client(RedisFixture redis, int port, String prefix, long seed) {
      this.redis = redis;
      this.port = port;
      this.prefix = prefix;
      this.seed = seed;
      this.random = new Random(seed);
    }

    /** Runs all steps, and returns how often it has added to the shared count. */
    int run() {
      int counted = 0;
      try (RawResp theirs = RawResp.open(redis.host(), redis.port());
          RawResp ours = RawResp.open("127.0.0.1", port)) {
        for (int step = 0; step < STEPS; step++) {
          boolean together = random.nextInt(4) == 0;
          int length = together ? 1 + random.nextInt(6) : 1;
          if (together) {
            compare(theirs, ours, step, "MULTI");
          }
          for (int i = 0; i < length; i++) {
            compare(theirs, ours, step, command());
          }
          if (together) {
            compare(theirs, ours, step, "EXEC");
          }
          if (step % 3 == 0) {
            assertThat(ours.call("INCR", "count")).startsWith(":");
            counted++;
          }
        }
      }
      return counted;
    }

    private void compare(RawResp theirs, RawResp ours, int step, String... words) {
      assertThat(ours.call(words))
          .as("seed %d, step %d: %s", seed, step, String.join(" ", words))
          .isEqualTo(theirs.call(words));
    }

    private String[] command() {
      String[] words = TEMPLATES.get(random.nextInt(TEMPLATES.size())).split(" ", -1);
      for (int i = 0; i < words.length; i++) {
        if (words[i].equals("K")) {
          words[i] = prefix + random.nextInt(5);
        } else if (words[i].equals("V")) {
          words[i] = Integer.toString(random.nextInt(100));
        }
      }
      return words;
    }
  }
}
