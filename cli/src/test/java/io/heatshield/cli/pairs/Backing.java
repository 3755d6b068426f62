package io.heatshield.cli.pairs;

import io.heatshield.testkit.redis.RedisClusterFixture;
import io.heatshield.testkit.redis.RedisFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The Redis servers that a combination needs.
 *
 * @param dataUrl the Redis that holds the data, empty if there is none
 * @param sharedUrl the Redis of fleet and limits, empty if there is none
 * @param fixtures what to close in the end
 */
record Backing(String dataUrl, String sharedUrl, List<Runnable> fixtures) implements AutoCloseable {
  /** The password of every Redis that asks for one. */
  static final String PASSWORD = "redis-secret";

  /** Starts what a combination needs. */
  static Backing of(Combination combination) {
    String[] lines =
        combination.isOn(Factor.USERS) ? new String[] {"requirepass " + PASSWORD} : new String[0];
    String login = combination.isOn(Factor.USERS) ? ":" + PASSWORD + "@" : "";
    var fixtures = new ArrayList<Runnable>();
    String data = "";
    if (combination.isCluster()) {
      var cluster = RedisClusterFixture.start(lines);
      fixtures.add(cluster::close);
      data =
          cluster.ports().stream()
              .map(port -> "127.0.0.1:" + port)
              .collect(Collectors.joining(",", "redis-cluster://" + login, ""));
    } else if (combination.isInRedis()) {
      var redis = RedisFixture.start(lines);
      fixtures.add(redis::close);
      data = "redis://" + login + "127.0.0.1:" + redis.port();
    }
    // A shield shows all keys of its Redis, so those of fleet and limits lie in another.
    if (!combination.usesRedis() || (combination.isInRedis() && !combination.isShield())) {
      return new Backing(data, data, fixtures);
    }
    var shared = RedisFixture.start(lines);
    fixtures.add(shared::close);
    return new Backing(data, "redis://" + login + "127.0.0.1:" + shared.port(), fixtures);
  }

  @Override
  public void close() {
    fixtures.forEach(Runnable::run);
  }
}
