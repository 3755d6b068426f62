package io.heatshield.shield;

import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.github.bucket4j.tck.AbstractDistributedBucketTest;
import io.github.bucket4j.tck.ProxyManagerSpec;
import io.heatshield.testkit.redis.RedisClusterFixture;
import io.heatshield.testkit.redis.RedisFixture;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * The tests that Bucket4j has for its own stores, on Redis through the shield: buckets changed by
 * scripts, by many threads, with expiry, on one server and on a cluster.
 */
@Tag("thorough")
class ShieldBucket4jIT extends AbstractDistributedBucketTest {
  private static final String[] SETTINGS = {
    "timeout: 20s",
    OpenShield.HOT_READS,
    "write_limit: { mode: observe }",
    "absence: { mode: observe }"
  };
  private static final Deque<AutoCloseable> OPEN = new ArrayDeque<>();

  @BeforeAll
  static void open() {
    RedisFixture redis = opened(RedisFixture.start());
    RedisClusterFixture cluster = opened(RedisClusterFixture.start());
    OpenShield one = opened(OpenShield.of(redis.uri(), SETTINGS));
    OpenShield many = opened(OpenShield.of(cluster.uri(), SETTINGS));
    specs =
        List.of(
            spec("one server behind the shield", one.awaitTracking()),
            spec("a cluster behind the shield", many.awaitTracking()));
  }

  @AfterAll
  static void close() throws Exception {
    while (!OPEN.isEmpty()) {
      OPEN.pop().close();
    }
  }

  private static ProxyManagerSpec<?, ?, ?> spec(String description, OpenShield shield) {
    RedisClient client =
        RedisClient.create(
            RedisURI.builder()
                .withHost(shield.host())
                .withPort(shield.port())
                .withTimeout(Duration.ofSeconds(20))
                .build());
    OPEN.push(client::shutdown);
    return new ProxyManagerSpec<>(
            description,
            () -> UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII),
            () -> Bucket4jLettuce.casBasedBuilder(client))
        .checkExpiration();
  }

  private static <T extends AutoCloseable> T opened(T part) {
    OPEN.push(part);
    return part;
  }
}
