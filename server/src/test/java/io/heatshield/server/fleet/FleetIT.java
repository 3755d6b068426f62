package io.heatshield.server.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.data.RawResp;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.server.HeatshieldServer;
import io.heatshield.testkit.redis.RedisFixture;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whole servers that count together beside a real Redis. */
@Timeout(120)
class FleetIT {
  private static final String SECRET = "heatshield:fleet:prod:secret";
  private static final int HOT_AT = 600;

  private final HttpClient client = HttpClient.newHttpClient();
  private final Deque<Runnable> toStop = new ArrayDeque<>();

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @SuppressWarnings("NullAway.Init") // set by start
  private RedisFixture redis;

  @BeforeEach
  void start() {
    redis = RedisFixture.start();
    toStop.push(redis::close);
  }

  @AfterEach
  void stop() {
    while (!toStop.isEmpty()) {
      toStop.pop().run();
    }
  }

  @Test
  void hot_keyBelowTheThresholdOnEveryServer_isHotInTheAnswerOfEach() throws Exception {
    HeatshieldServer one = serve("a");
    HeatshieldServer two = serve("b");
    HeatshieldServer three = serve("c");
    touch(one, "together", 250);
    touch(two, "together", 250);
    touch(three, "together", 250);

    await(() -> hot(one).contains("\"key\":\"together\"") && hot(one).contains("\"hot\":1"));
    await(() -> hot(two).contains("\"hot\":1") && hot(three).contains("\"hot\":1"));
    String alone = get(one, "api/v1/hot");
    String whole = hot(two);

    assertThat(alone).contains("\"hot\":0").doesNotContain("\"fleet\"");
    assertThat(whole)
        .contains("\"local_only\":null", "\"estimate\":750", "\"state\":\"hot\"", "\"nodes\":3")
        .contains("\"guaranteed\":747", "\"error\":2", "\"complete\":true", "\"distinct\":1");
    assertThat(whole.split("\"estimate\":250", -1)).hasSize(4);
    try (RawResp resp = RawResp.open(two.resp().host(), two.resp().port())) {
      assertThat(resp.call("HS.HOT", "main", "5", "FLEET")).contains("together", "750", "live");
      assertThat(resp.call("HS.HOT", "main", "5", "FLEET"))
          .contains("error-bound", "distinct", "complete", "savings");
      assertThat(resp.call("HS.HOT", "nosuch", "fleet")).doesNotContain("together");
      assertThat(resp.call("HS.HOT")).doesNotContain("together");
    }
    assertThat(get(one, "metrics"))
        .contains("heatshield_fleet_nodes{state=\"live\"} 3.0", "heatshield_fleet_local_only 0.0")
        .contains("heatshield_fleet_hot_keys 1.0")
        .containsPattern("heatshield_fleet_bytes_total\\{direction=\"out\"} [1-9]");
  }

  @Test
  void hot_serverThatStops_isMissedByNobody() throws Exception {
    HeatshieldServer one = serve("a");
    HeatshieldServer two = serve("b");
    await(() -> hot(one).split("\"state\":\"live\"", -1).length == 3);

    two.stop(Duration.ofSeconds(5));

    await(() -> hot(one).split("\"state\":\"live\"", -1).length == 2);
    assertThat(hot(one)).doesNotContain("missing");
  }

  @Test
  void hot_whileRedisIsGone_isLocalOnlyInEveryAnswerAndWholeAfter() throws Exception {
    HeatshieldServer one = serve("a");
    touch(one, "k", 5);
    await(() -> hot(one).contains("\"local_only\":null"));

    redis.kill();
    await(() -> hot(one).contains("\"local_only\":\"Redis "));
    String lost = hot(one);
    String said;
    try (RawResp resp = RawResp.open(one.resp().host(), one.resp().port())) {
      said = resp.call("HS.HOT", "FLEET");
    }
    redis.restart();

    assertThat(lost).contains("\"key\":\"k\"", "\"estimate\":5");
    assertThat(said).contains("local-only").contains("Redis ");
    await(() -> hot(one).contains("\"local_only\":null"));
  }

  @Test
  void hot_anotherSecretInRedis_isRefusedByNameUntilStartedAgain() throws Exception {
    HeatshieldServer one = serve("a");
    await(() -> hot(one).contains("\"local_only\":null"));

    redis.command("SET", SECRET, "0123456789abcdef0123456789abcdef");
    await(() -> hot(one).contains("another secret"));
    one.stop(Duration.ofSeconds(5));
    HeatshieldServer again = serve("a");

    await(() -> hot(again).contains("\"local_only\":null"));
    assertThat(redis.command("GET", SECRET)).isEqualTo("0123456789abcdef0123456789abcdef");
  }

  @Test
  void hot_redisThatForgotEverything_goesOnWithTheSecretOfTheNodes() throws Exception {
    HeatshieldServer one = serve("a");
    await(() -> hot(one).contains("\"local_only\":null"));

    redis.command("FLUSHALL");

    await(() -> redis.command("EXISTS", SECRET).equals("1"));
    await(() -> redis.command("HLEN", "heatshield:fleet:prod:nodes").equals("1"));
    assertThat(hot(one)).doesNotContain("another secret");
  }

  @Test
  void start_whileRedisIsAway_isLocalOnlyAndJoinsLater() throws Exception {
    redis.kill();
    HeatshieldServer one = serve("a");
    String before = hot(one);

    redis.restart();

    assertThat(before).contains("\"local_only\":\"");
    await(() -> hot(one).contains("\"local_only\":null"));
  }

  @Test
  void everyKeyButTheSecret_endsByItself() throws Exception {
    HeatshieldServer one = serve("a");
    await(() -> hot(one).contains("\"local_only\":null"));

    String keys = redis.command("EVAL", TTLS, "0");

    assertThat(keys).contains("node:", "nodes", "turn", "view");
    assertThat(keys).containsOnlyOnce("=-1").contains("secret=-1");
  }

  @Test
  void hot_ofAServerWithoutAFleet_isLocalOnlyByName() throws Exception {
    HeatshieldServer one = serve("a", "");

    String answer = hot(one);

    assertThat(answer).contains("\"local_only\":\"no fleet is configured\"");
    assertThat(get(one, "api/v1/hot?fleet=maybe")).contains("fleet must be true or false");
  }

  private static final String TTLS =
      "local out = {} for _, k in ipairs(redis.call('KEYS', 'heatshield:*')) do"
          + " out[#out + 1] = k .. '=' .. redis.call('PTTL', k) end return table.concat(out, ' ')";

  private HeatshieldServer serve(String name) throws Exception {
    return serve(name, "fleet: { name: prod, node: '" + name + "', interval: 250ms }\n");
  }

  private HeatshieldServer serve(String name, String fleet) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve(name + ".yaml"),
            "server: { http: '127.0.0.1:0', grpc: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir: '"
                + folder.resolve("state-" + name)
                + "' }\nredis: { url: 'redis://127.0.0.1:"
                + redis.port()
                + "', timeout: 1s }\ndetect: { threshold: 10, window: 60s }\n"
                + fleet);
    var loader = new ConfigLoader(Map.of());
    LoadResult.Valid valid = (LoadResult.Valid) loader.load(file);
    HeatshieldServer started = HeatshieldServer.start(loader, valid.configuration(), file);
    toStop.push(() -> started.stop(Duration.ofSeconds(5)));
    return started;
  }

  private static void touch(HeatshieldServer server, String key, int times) {
    HotKeyDetector detector = server.scopes().open("main");
    assertThat(times).isLessThan(HOT_AT);
    for (int i = 0; i < times; i++) {
      detector.touch(key);
    }
  }

  private String hot(HeatshieldServer server) {
    return get(server, "api/v1/hot?fleet=true&scope=main");
  }

  private String get(HeatshieldServer server, String path) {
    try {
      return client
          .send(
              HttpRequest.newBuilder(server.http().resolve(path)).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }
}
