package io.heatshield.server.fleet;

import static io.heatshield.server.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.detect.HotKeyDetector;
import io.heatshield.server.TestServer;
import io.heatshield.testkit.client.RawResp;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A fleet of whole servers with a real Redis. */
@Timeout(120)
class FleetIT {
  private static final String SECRET = FleetServers.KEYS + "secret";
  private static final String DETECT = "detect: { threshold: 10, window: 60s }\n";
  private static final int HOT_AT = 600;

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @SuppressWarnings("NullAway.Init") // set by start
  private FleetServers fleet;

  @BeforeEach
  void start() {
    fleet = new FleetServers(folder);
  }

  @AfterEach
  void stop() {
    fleet.close();
  }

  @Test
  void hot_keyBelowTheThresholdOnEveryServer_isHotInTheAnswerOfEach() throws Exception {
    TestServer one = serve("a");
    TestServer two = serve("b");
    TestServer three = serve("c");
    touch(one, "together", 250);
    touch(two, "together", 250);
    touch(three, "together", 250);

    await(() -> hot(one).contains("\"key\":\"together\"") && hot(one).contains("\"hot\":1"));
    await(() -> hot(two).contains("\"hot\":1") && hot(three).contains("\"hot\":1"));
    String alone = one.get("api/v1/hot");
    String whole = hot(two);

    assertThat(alone).contains("\"hot\":0").doesNotContain("\"fleet\"");
    assertThat(whole)
        .contains("\"local_only\":null", "\"estimate\":750", "\"state\":\"hot\"", "\"nodes\":3")
        .contains("\"guaranteed\":747", "\"error\":2", "\"complete\":true", "\"distinct\":1");
    assertThat(whole.split("\"estimate\":250", -1)).hasSize(4);
    try (RawResp resp = two.connect()) {
      assertThat(resp.call("HS.HOT", "main", "5", "FLEET")).contains("together", "750", "live");
      assertThat(resp.call("HS.HOT", "main", "5", "FLEET"))
          .contains("error-bound", "distinct", "complete", "savings");
      assertThat(resp.call("HS.HOT", "nosuch", "fleet")).doesNotContain("together");
      assertThat(resp.call("HS.HOT")).doesNotContain("together");
    }
    assertThat(one.get("metrics"))
        .contains("heatshield_fleet_nodes{state=\"live\"} 3.0", "heatshield_fleet_local_only 0.0")
        .contains("heatshield_fleet_hot_keys 1.0")
        .containsPattern("heatshield_fleet_bytes_total\\{direction=\"out\"} [1-9]");
  }

  @Test
  void hot_stoppedServer_isNotMissing() throws Exception {
    TestServer one = serve("a");
    TestServer two = serve("b");
    await(() -> hot(one).split("\"state\":\"live\"", -1).length == 3);

    two.stop();

    await(() -> hot(one).split("\"state\":\"live\"", -1).length == 2);
    assertThat(hot(one)).doesNotContain("missing");
  }

  @Test
  void hot_whileRedisIsDown_isLocalOnlyAndCompleteAfterwards() throws Exception {
    TestServer one = serve("a");
    touch(one, "k", 5);
    await(() -> hot(one).contains("\"local_only\":null"));

    fleet.redis.kill();
    await(() -> hot(one).contains("\"local_only\":\"Redis "));
    String lost = hot(one);
    String said;
    try (RawResp resp = one.connect()) {
      said = resp.call("HS.HOT", "FLEET");
    }
    fleet.redis.restart();

    assertThat(lost).contains("\"key\":\"k\"", "\"estimate\":5");
    assertThat(said).contains("local-only").contains("Redis ");
    await(() -> hot(one).contains("\"local_only\":null"));
  }

  @Test
  void hot_anotherSecretInRedis_isRefusedByNameUntilStartedAgain() throws Exception {
    TestServer one = serve("a");
    await(() -> hot(one).contains("\"local_only\":null"));

    fleet.redis.command("SET", SECRET, "0123456789abcdef0123456789abcdef");
    await(() -> hot(one).contains("another secret"));
    one.stop();
    TestServer again = serve("a");

    await(() -> hot(again).contains("\"local_only\":null"));
    assertThat(fleet.redis.command("GET", SECRET)).isEqualTo("0123456789abcdef0123456789abcdef");
  }

  @Test
  void hot_redisLostItsData_continuesWithTheSecretOfTheNodes() throws Exception {
    TestServer one = serve("a");
    await(() -> hot(one).contains("\"local_only\":null"));

    fleet.redis.command("FLUSHALL");

    await(() -> fleet.redis.command("EXISTS", SECRET).equals("1"));
    await(() -> fleet.redis.command("HLEN", "heatshield:fleet:prod:nodes").equals("1"));
    assertThat(hot(one)).doesNotContain("another secret");
  }

  @Test
  void start_whileRedisIsDown_isLocalOnlyAndJoinsLater() throws Exception {
    fleet.redis.kill();
    TestServer one = serve("a");
    String before = hot(one);

    fleet.redis.restart();

    assertThat(before).contains("\"local_only\":\"");
    await(() -> hot(one).contains("\"local_only\":null"));
  }

  @Test
  void everyKeyExceptTheSecret_expires() throws Exception {
    TestServer one = serve("a");
    await(() -> hot(one).contains("\"local_only\":null"));

    String keys = fleet.redis.command("EVAL", TTLS, "0");

    assertThat(keys).contains("node:", "nodes", "turn", "view");
    assertThat(keys).containsOnlyOnce("=-1").contains("secret=-1");
  }

  @Test
  void hot_ofAServerWithoutAFleet_isLocalOnlyByName() throws Exception {
    TestServer one = fleet.serveAlone("a", DETECT);

    String answer = hot(one);

    assertThat(answer).contains("\"local_only\":\"no fleet is configured\"");
    assertThat(one.get("api/v1/hot?fleet=maybe")).contains("fleet must be true or false");
  }

  private static final String TTLS =
      "local out = {} for _, k in ipairs(redis.call('KEYS', 'heatshield:*')) do"
          + " out[#out + 1] = k .. '=' .. redis.call('PTTL', k) end return table.concat(out, ' ')";

  private TestServer serve(String name) throws Exception {
    return fleet.serve(name, DETECT);
  }

  private static void touch(TestServer server, String key, int times) {
    HotKeyDetector detector = server.server().scopes().open("main");
    assertThat(times).isLessThan(HOT_AT);
    for (int i = 0; i < times; i++) {
      detector.touch(key);
    }
  }

  private static String hot(TestServer server) {
    return server.get("api/v1/hot?fleet=true&scope=main");
  }
}
