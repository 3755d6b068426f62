package io.heatshield.server.fleet;

import static io.heatshield.server.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.server.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A limit key that is hot in the fleet is so to the coalescer of each server. */
@Timeout(120)
class FleetLimitsIT {
  private static final String CALL =
      "{\"domain\":\"shop\",\"descriptors\":[{\"entries\":[{\"key\":\"user\",\"value\":\"a,b\"}]}]}";

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @Test
  void call_forADescriptorThatIsHotTogetherOnly_isCoalescedUntilItCools() throws Exception {
    check("enforce", "1.0");
  }

  @Test
  @Tag("thorough")
  void call_forADescriptorThatIsHotTogetherOnly_isNotCoalescedInObserve() throws Exception {
    check("observe", "0.0");
  }

  private void check(String mode, String flights) throws Exception {
    Files.createDirectories(folder.resolve("limits"));
    Files.writeString(
        folder.resolve("limits/shop.yaml"),
        """
        domain: shop
        descriptors:
          - {key: user, rate_limit: {unit: day, requests_per_unit: 1000}}
        """);
    String lines =
        "detect: { threshold: 10, window: 6s }\nlimits: { backend: redis, config: '"
            + folder.resolve("limits")
            + "', hot_keys: { mode: "
            + mode
            + ", threshold: 100, decay_interval: 1s } }\n";

    try (var fleet = new FleetServers(folder)) {
      TestServer one = fleet.serve("a", lines);
      TestServer two = fleet.serve("b", lines);
      TestServer idle = fleet.serve("c", lines);
      for (int i = 0; i < 40; i++) {
        one.post("json", CALL);
        two.post("json", CALL);
      }
      await(() -> isHot(one) && isHot(two) && isHot(idle));
      String before = idle.get("metrics");
      idle.post("json", CALL);
      String after = idle.get("metrics");

      assertThat(before).contains("heatshield_limit_flights_total 0.0");
      assertThat(after).contains("heatshield_limit_flights_total " + flights);
      assertThat(fleet.redis.command("EVAL", SUM, "0")).isEqualTo("81");
      await(() -> !isHot(one) && !isHot(two) && !isHot(idle));
      assertThat(idle.get("metrics")).contains("heatshield_limit_hot_demotions_total 1.0");
    }
  }

  private static final String SUM =
      "local sum = 0 for _, k in ipairs(redis.call('KEYS', '*')) do"
          + " if not string.find(k, 'heatshield:fleet') then"
          + " sum = sum + tonumber(redis.call('GET', k)) end end return tostring(sum)";

  private static boolean isHot(TestServer server) {
    return server.get("metrics").contains("heatshield_limit_hot_keys 1.0");
  }
}
