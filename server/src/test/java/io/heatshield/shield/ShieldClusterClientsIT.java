package io.heatshield.shield;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.redis.RedisClusterFixture;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.protocol.ProtocolVersion;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.api.redisnode.RedisNodes;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.redisson.config.Protocol;

/** Cluster clients and single-server clients of a cluster behind the shield. */
class ShieldClusterClientsIT {
  private static final int KEYS = 50;

  private static final RedisClusterFixture cluster = RedisClusterFixture.start();

  @AutoClose
  private static final OpenShield shield =
      OpenShield.of(cluster.uri(), "timeout: 20s").closing(cluster).awaitTracking();

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void redisson_asClusterClient_findsOneNodeAndUsesIt(Protocol protocol) {
    var config = new Config();
    config.setProtocol(protocol);
    config.setCodec(StringCodec.INSTANCE);
    config.useClusterServers().addNodeAddress("redis://" + shield.host() + ":" + shield.port());
    RedissonClient client = Redisson.create(config);
    try {
      for (int i = 0; i < KEYS; i++) {
        client.getBucket("redisson" + i).set("v" + i);
        assertThat(client.getBucket("redisson" + i).get()).isEqualTo("v" + i);
      }

      assertThat(client.getRedisNodes(RedisNodes.CLUSTER).getMasters())
          .singleElement()
          .matches(node -> node.getAddr().getPort() == shield.port());
    } finally {
      client.shutdown(0, 5, TimeUnit.SECONDS);
    }
  }

  @ParameterizedTest
  @EnumSource(ProtocolVersion.class)
  void lettuce_asClusterClient_findsOneNodeAndUsesIt(ProtocolVersion protocol) {
    try (RedisClusterClient client =
        RedisClusterClient.create(RedisURI.create(shield.host(), shield.port()))) {
      client.setOptions(
          ClusterClientOptions.builder()
              .protocolVersion(protocol)
              .topologyRefreshOptions(
                  ClusterTopologyRefreshOptions.builder().dynamicRefreshSources(true).build())
              .build());
      try (StatefulRedisClusterConnection<String, String> connection = client.connect()) {
        var commands = connection.sync();
        for (int i = 0; i < KEYS; i++) {
          assertThat(commands.set("lettuce" + i, "v" + i)).isEqualTo("OK");
          assertThat(commands.get("lettuce" + i)).isEqualTo("v" + i);
        }
        assertThat(commands.mset(Map.of("a", "1", "b", "2", "c", "3"))).isEqualTo("OK");
        assertThat(commands.del("a", "b", "c")).isEqualTo(3);
        client.refreshPartitions();

        List<RedisClusterNode> nodes = List.copyOf(client.getPartitions());
        assertThat(nodes).hasSize(1);
        assertThat(nodes.get(0).getUri().getPort()).isEqualTo(shield.port());
        assertThat(nodes.get(0).getSlots()).hasSize(16_384);
        assertThat(commands.clusterShards()).hasSize(1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ProtocolVersion.class)
  void lettuce_asClientOfOneServer_works(ProtocolVersion protocol) {
    try (RedisClient client = RedisClient.create(RedisURI.create(shield.host(), shield.port()))) {
      client.setOptions(ClientOptions.builder().protocolVersion(protocol).build());
      try (var connection = client.connect()) {
        var commands = connection.sync();
        commands.mset(Map.of("x", "1", "y", "2"));

        assertThat(commands.mget("x", "y")).hasSize(2);
        assertThat(commands.clusterMyId()).hasSize(40);
        assertThat(commands.clusterInfo()).contains("cluster_state:ok");
        assertThat(commands.clusterKeyslot("foo")).isEqualTo(12_182);
      }
    }
  }

  @Test
  void commandsOfAClusterClient_areAnsweredInOrderAndChangeNoConnection() {
    try (RawResp client = shield.connect()) {
      client.send("HELLO", "3").send("CLUSTER", "SLOTS");
      assertThat(client.reply()).startsWith("%");
      assertThat(client.reply()).startsWith("*1\r\n*3\r\n:0\r\n:16383\r\n").endsWith("%0\r\n");
      client.send("SET", "k", "v").send("READONLY").send("ASKING").send("GET", "k");

      assertThat(client.reply()).isEqualTo("+OK\r\n");
      assertThat(client.reply()).isEqualTo("+OK\r\n");
      assertThat(client.reply()).isEqualTo("+OK\r\n");
      assertThat(client.reply()).isEqualTo("$1\r\nv\r\n");
      assertThat(client.call("READWRITE")).isEqualTo("+OK\r\n");
      assertThat(cluster.nodes())
          .noneMatch(node -> node.command("CLIENT", "LIST").contains("flags=r"));
      assertThat(client.call("CLUSTER", "SLOTS", "x")).startsWith("-ERR wrong number");
      assertThat(client.call("CLUSTER", "FAILOVER")).startsWith("-ERR not available");
      assertThat(client.call("MULTI")).isEqualTo("+OK\r\n");
      assertThat(client.call("CLUSTER", "SLOTS")).startsWith("-ERR not available");
      assertThat(client.call("EXEC")).startsWith("-EXECABORT");
    }
  }
}
