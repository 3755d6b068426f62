package io.heatshield.server.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.detect.HotKeyDetector;
import io.heatshield.fleet.FleetListener;
import io.heatshield.fleet.FleetNode;
import io.heatshield.fleet.FleetView;
import io.heatshield.fleet.NodeSnapshot;
import io.heatshield.fleet.ScopeHeat;
import io.heatshield.hash.HashSecret;
import io.heatshield.redis.Redis;
import io.heatshield.redis.RedisUrl;
import io.heatshield.testkit.redis.RedisFixture;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The load of a fleet on a real Redis, by its own statistics, compared with the guide's plan. */
@Timeout(120)
class FleetLoadIT {
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final HashSecret SECRET = HashSecret.of(new byte[32]);
  private static final int INTERVALS = 10;
  private static final int KEYS = 2000;
  private static final int COUNTERS = 4 * 1024;
  private static final double SNAPSHOT = 4;
  private static final double VIEW_PER_SCOPE = 16_000;
  private static final double VIEW_PER_NODE = 60;

  /** The bytes of a command besides its content: names, digest of the script, lengths. */
  private static final double COMMAND_BYTES = 200;

  private final FakeTicker ticker = new FakeTicker();

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 10})
  void loadOfRedis_byItsOwnAccount_isWithinThePlan(int count) {
    try (RedisFixture server = RedisFixture.start();
        Redis redis =
            Redis.builder(RedisUrl.parse(server.uri().toString()))
                .budget(Duration.ofSeconds(20))
                .open()) {
      assertThat(redis.awaitUp(Duration.ofSeconds(20))).isTrue();
      var nodes = new ArrayList<FleetNode>();
      for (int i = 0; i < count; i++) {
        nodes.add(node("node-" + i, new RedisExchange(redis, "prod")));
      }
      run(nodes, 2);
      long commands = commands(server);
      long in = stat(server, "stats", "total_net_input_bytes:");
      long out = stat(server, "stats", "total_net_output_bytes:");

      run(nodes, INTERVALS);
      double perInterval = (double) (commands(server) - commands) / INTERVALS;
      double bytesIn = (double) (stat(server, "stats", "total_net_input_bytes:") - in) / INTERVALS;
      double bytesOut =
          (double) (stat(server, "stats", "total_net_output_bytes:") - out) / INTERVALS;

      double view = VIEW_PER_SCOPE + count * VIEW_PER_NODE;
      double planned = 12 * count + 4;
      double overhead = planned * COMMAND_BYTES;
      assertThat(perInterval).isBetween(planned / 2, planned);
      assertThat(bytesIn).isBetween(5000.0, count * COUNTERS * SNAPSHOT + 2 * view + overhead);
      assertThat(bytesOut)
          .isLessThan(count * COUNTERS * SNAPSHOT + 2 * view * (count - 1) + overhead);
      assertThat(nodes).allMatch(node -> node.answer().localOnly().isEmpty());
    }
  }

  private FleetNode node(String name, RedisExchange exchange) {
    HotKeyDetector detector =
        HotKeyDetector.builder().stripes(1).secret(SECRET).ticker(ticker::nanos).build();
    for (int i = 0; i < KEYS; i++) {
      detector.touch("key:" + i, 100);
    }
    var listener =
        new FleetListener() {
          @Override
          public void viewed(FleetView view) {}

          @Override
          public void otherSecret(byte[] other) {}
        };
    return new FleetNode(
        name,
        SECRET,
        INTERVAL,
        ticker::nanos,
        exchange,
        sequence ->
            new NodeSnapshot(
                name,
                sequence,
                INTERVAL.toMillis(),
                "",
                0,
                List.of(),
                List.of(ScopeHeat.of("main", detector))),
        listener);
  }

  private void run(List<FleetNode> nodes, int intervals) {
    for (int i = 0; i < intervals * FleetNode.TICKS; i++) {
      ticker.advance(INTERVAL.dividedBy(FleetNode.TICKS));
      nodes.forEach(FleetNode::tick);
    }
  }

  private static long commands(RedisFixture server) {
    return stat(server, "commandstats", "cmdstat_evalsha:calls=");
  }

  private static long stat(RedisFixture server, String section, String name) {
    Matcher found =
        Pattern.compile(Pattern.quote(name) + "([0-9]+)").matcher(server.command("INFO", section));
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }
}
