package io.heatshield.server.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.data.RawResp;
import io.heatshield.server.HeatshieldServer;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two shields before one Redis that count together. */
@Timeout(120)
class FleetShieldIT {
  private static final String KEY = "\"key\":\"k\"";

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @Test
  void hot_keyReadThroughTwoShields_isListedOnceAndExplainedAlike() throws Exception {
    try (var fleet = new FleetServers(folder)) {
      String lines = lines(fleet, "hot_reads: { mode: 'off' }");
      HeatshieldServer one = shield(fleet, "a", lines);
      HeatshieldServer two = shield(fleet, "b", lines);

      read(one, 150);
      read(two, 150);

      FleetServers.await(
          () -> whole(fleet, one).contains("\"hot\":1") && whole(fleet, two).contains("\"hot\":1"));
      assertThat(whole(fleet, one)).containsOnlyOnce(KEY).contains("\"estimate\":300");
      assertThat(whole(fleet, two)).containsOnlyOnce(KEY).contains("\"estimate\":300");
      assertThat(fleet.get(one, "api/v1/hot?scope=shield"))
          .containsOnlyOnce(KEY)
          .contains("\"estimate\":150");
      assertThat(fleet.get(one, "api/v1/keys/k?scope=shield")).contains("\"estimate\":150");
    }
  }

  @Test
  void get_ofAKeyThatIsHotTogetherOnly_isAnsweredFromMemoryByEachShield() throws Exception {
    try (var fleet = new FleetServers(folder)) {
      String lines =
          lines(fleet, "hot_reads: { mode: enforce, threshold: 100000, max_stale: 60s }");
      HeatshieldServer one = shield(fleet, "a", lines);
      HeatshieldServer two = shield(fleet, "b", lines);
      FleetServers.await(() -> metric(fleet, one, "shield_tracking_up") == 1);
      fleet.redis.command("SET", "k", "v");

      read(one, 150);
      double alone = metric(fleet, one, "shield_cache_hits_total");
      read(two, 150);
      FleetServers.await(() -> whole(fleet, one).contains("\"hot\":1"));
      FleetServers.await(
          () -> {
            read(one, 1);
            return metric(fleet, one, "shield_cache_hits_total") > 0;
          });

      assertThat(alone).isZero();
    }
  }

  @Test
  void set_ofAKeyThatIsHotTogetherOnly_isHeldToThisNodesPartOfTheLimit() throws Exception {
    try (var fleet = new FleetServers(folder)) {
      String lines = lines(fleet, "write_limit: { mode: enforce, per_window: 1000000 }");
      HeatshieldServer one = shield(fleet, "a", lines);
      HeatshieldServer two = shield(fleet, "b", lines);
      read(one, 150);
      read(two, 150);
      FleetServers.await(() -> whole(fleet, one).contains("\"hot\":1"));

      HeatshieldServer tight = shield(fleet, "c", lines.replace("1000000", "3"));
      FleetServers.await(() -> whole(fleet, tight).split("\"state\":\"live\"", -1).length == 4);

      try (RawResp client = open(tight)) {
        FleetServers.await(
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

  private static HeatshieldServer shield(FleetServers fleet, String name, String lines)
      throws Exception {
    HeatshieldServer server = fleet.serve(name, lines);
    FleetServers.await(() -> fleet.get(server, "readyz").startsWith("ready"));
    return server;
  }

  private static RawResp open(HeatshieldServer server) {
    return RawResp.open(server.resp().host(), server.resp().port());
  }

  private static void read(HeatshieldServer server, int times) {
    try (RawResp client = open(server)) {
      for (int i = 0; i < times; i++) {
        client.call("GET", "k");
      }
    }
  }

  private static String whole(FleetServers fleet, HeatshieldServer server) {
    return fleet.get(server, "api/v1/hot?scope=shield&fleet=true");
  }

  private static double metric(FleetServers fleet, HeatshieldServer server, String name) {
    Matcher line =
        Pattern.compile("(?m)^heatshield_" + name + " ([0-9.E+-]+)$")
            .matcher(fleet.get(server, "metrics"));
    return line.find() ? Double.parseDouble(line.group(1)) : 0;
  }
}
