package io.heatshield.shield;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.redis.RedisClusterFixture;
import io.heatshield.testkit.redis.RedisFixture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.redisson.config.Protocol;

/**
 * Redisson, with its locks, queues, topics, streams, transactions and scripts, through the shield
 * and without.
 */
class ShieldRedissonIT {
  private static final String[] SETTINGS = {
    "timeout: 20s",
    OpenShield.HOT_READS,
    "write_limit: { mode: observe }",
    "absence: { mode: observe }"
  };

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void allUses_throughTheShield_equalThoseWithoutIt(Protocol protocol) throws Exception {
    try (RedisFixture direct = RedisFixture.start();
        RedisFixture behind = RedisFixture.start();
        OpenShield shield = OpenShield.of(behind.uri(), SETTINGS).awaitTracking()) {
      List<String> wanted = use(direct.host(), direct.port(), protocol);

      List<String> found = use(shield.host(), shield.port(), protocol);

      assertThat(found).isEqualTo(wanted).hasSizeGreaterThan(60);
      assertThat(shield.metric("heatshield_shield_absence_disagreements")).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void allUses_throughTheShieldOfACluster_equalThoseOfOneServer(Protocol protocol)
      throws Exception {
    try (RedisFixture direct = RedisFixture.start();
        RedisClusterFixture behind = RedisClusterFixture.start();
        OpenShield shield = OpenShield.of(behind.uri(), SETTINGS).awaitTracking()) {
      List<String> wanted = use(direct.host(), direct.port(), protocol);

      List<String> found = use(shield.host(), shield.port(), protocol);

      assertThat(found).isEqualTo(wanted).hasSizeGreaterThan(60);
      assertThat(behind.nodes())
          .allMatch(node -> node.command("INFO", "commandstats").contains("cmdstat_flushall"));
    }
  }

  /** Runs every use and returns its result. */
  private static List<String> use(String host, int port, Protocol protocol) throws Exception {
    var config = new Config();
    config.setProtocol(protocol);
    config.setCodec(StringCodec.INSTANCE);
    config.setThreads(4);
    config.setNettyThreads(4);
    config
        .useSingleServer()
        .setAddress("redis://" + host + ":" + port)
        .setClientName("redisson")
        .setTimeout((int) Duration.ofSeconds(20).toMillis())
        .setConnectionPoolSize(16)
        .setConnectionMinimumIdleSize(2);
    RedissonClient client = Redisson.create(config);
    try {
      return new RedissonUse(client).all();
    } finally {
      client.shutdown(0, 5, TimeUnit.SECONDS);
    }
  }
}
