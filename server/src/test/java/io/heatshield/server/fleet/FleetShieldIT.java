package io.heatshield.server.fleet;

import static io.heatshield.server.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.server.TestServer;
import io.heatshield.testkit.client.RawResp;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two shields of one fleet in front of one Redis. */
@Timeout(120)
class FleetShieldIT {
  private static final String KEY = "\"key\":\"k\"";

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @Test
  void hot_keyReadThroughTwoShields_isListedOnceWithTheSameExplanation() throws Exception {
    try (var fleet = new FleetServers(folder)) {
      String lines = lines(fleet, "hot_reads: { mode: 'off' }");
      TestServer one = shield(fleet, "a", lines);
      TestServer two = shield(fleet, "b", lines);

      read(one, 150);
      read(two, 150);

      // The key is reported hot before the last reads are published: nodes publish every 250 ms.
      await(() -> whole(one).contains("\"hot\":1") && whole(two).contains("\"hot\":1"));
      await(() -> whole(one).contains("\"estimate\":300"));
      await(() -> whole(two).contains("\"estimate\":300"));
      assertThat(whole(one)).containsOnlyOnce(KEY).contains("\"estimate\":300");
      assertThat(whole(two)).containsOnlyOnce(KEY).contains("\"estimate\":300");
      assertThat(one.get("api/v1/hot?scope=shield"))
          .containsOnlyOnce(KEY)
          .contains("\"estimate\":150");
      assertThat(one.get("api/v1/keys/k?scope=shield")).contains("\"estimate\":150");
    }
  }

  @Test
  void get_ofAKeyThatIsHotOnlyInTheFleet_isAnsweredFromMemoryByEachShield() throws Exception {
    try (var fleet = new FleetServers(folder)) {
      String lines =
          lines(fleet, "hot_reads: { mode: enforce, threshold: 100000, max_stale: 60s }");
      TestServer one = shield(fleet, "a", lines);
      TestServer two = shield(fleet, "b", lines);
      await(() -> metric(one, "shield_tracking_up") == 1);
      fleet.redis.command("SET", "k", "v");

      read(one, 150);
      double alone = metric(one, "shield_cache_hits_total");
      read(two, 150);
      await(() -> whole(one).contains("\"hot\":1"));
      await(
          () -> {
            read(one, 1);
            return metric(one, "shield_cache_hits_total") > 0;
          });

      assertThat(alone).isZero();
    }
  }

  @Test
  void set_ofAKeyThatIsHotOnlyInTheFleet_isLimitedToThisNodesShare() throws Exception {
    try (var fleet = new FleetServers(folder)) {
      String lines = lines(fleet, "write_limit: { mode: enforce, per_window: 1000000 }");
      TestServer one = shield(fleet, "a", lines);
      TestServer two = shield(fleet, "b", lines);
      read(one, 150);
      read(two, 150);
      await(() -> whole(one).contains("\"hot\":1"));

      TestServer tight = shield(fleet, "c", lines.replace("1000000", "3"));
      await(() -> whole(tight).split("\"state\":\"live\"", -1).length == 4);

      try (RawResp client = tight.connect()) {
        await(
            () ->
                client.call("SET", "k", "1").startsWith("+OK")
                    && client.call("SET", "k", "1").startsWith("-THROTTLED"));
        assertThat(client.call("SET", "other", "1")).startsWith("+OK");
        assertThat(client.call("SET", "other", "1")).startsWith("+OK");
      }
    }
  }

  private static String lines(FleetServers fleet, String more) {
    return "detect: { threshold: 4, window: 60s }\nshield:\n  url: 'redis://127.0.0.1:"
        + fleet.redis.port()
        + "'\n  "
        + more
        + "\n";
  }

  private static TestServer shield(FleetServers fleet, String name, String lines) throws Exception {
    TestServer server = fleet.serve(name, lines);
    await(() -> server.get("readyz").startsWith("ready"));
    return server;
  }

  private static void read(TestServer server, int times) {
    try (RawResp client = server.connect()) {
      for (int i = 0; i < times; i++) {
        client.call("GET", "k");
      }
    }
  }

  private static String whole(TestServer server) {
    return server.get("api/v1/hot?scope=shield&fleet=true");
  }

  private static double metric(TestServer server, String name) {
    return server.metric("heatshield_" + name);
  }
}
