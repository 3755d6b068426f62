package io.heatshield.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisClusterFixtureIT {
  private static RedisClusterFixture cluster;

  @BeforeAll
  static void start() {
    cluster = RedisClusterFixture.start("appendonly yes", "appendfsync always");
  }

  @AfterAll
  static void stop() {
    if (cluster == null) {
      return;
    }
    List<ProcessHandle> processes =
        cluster.nodes().stream().map(node -> ProcessHandle.of(node.pid()).orElseThrow()).toList();

    cluster.close();
    cluster.close();

    assertThat(processes).hasSize(3).noneMatch(ProcessHandle::isAlive);
  }

  @Test
  void start_everyNode_seesThreeMastersAndAllSlots() {
    for (RedisFixture node : cluster.nodes()) {
      assertThat(node.command("CLUSTER", "INFO"))
          .contains("cluster_state:ok", "cluster_slots_ok:16384", "cluster_size:3");
    }
  }

  @Test
  void command_keysOfAllSlots_reachTheirOwners() {
    Set<Integer> owners = new HashSet<>();

    for (int i = 0; i < 60; i++) {
      String key = "key:" + i;
      cluster.command("SET", key, "v" + i);
      owners.add(cluster.ownerOf(key).port());
      assertThat(cluster.command("GET", key)).isEqualTo("v" + i);
    }

    assertThat(owners).containsExactlyInAnyOrderElementsOf(cluster.ports());
  }

  @Test
  void command_onTheWrongNode_isMovedToTheOwner() {
    RedisFixture owner = cluster.ownerOf("elsewhere");
    RedisFixture wrong =
        cluster.nodes().stream().filter(node -> node != owner).findFirst().orElseThrow();

    assertThatThrownBy(() -> wrong.command("GET", "elsewhere"))
        .isInstanceOf(RedisErrorReply.class)
        .hasMessageMatching("MOVED \\d+ 127\\.0\\.0\\.1:" + owner.port());
  }

  @Test
  void restart_ofOneNode_rejoinsWithItsData() {
    cluster.command("SET", "kept", "v");
    RedisFixture owner = cluster.ownerOf("kept");

    owner.kill();
    owner.restart();
    cluster.awaitUp();

    assertThat(cluster.command("GET", "kept")).isEqualTo("v");
  }

  @Test
  void uri_threeNodes_containsAll() {
    List<Integer> ports = cluster.ports();

    assertThat(cluster.uri())
        .hasToString(
            "redis-cluster://127.0.0.1:"
                + ports.get(0)
                + ",127.0.0.1:"
                + ports.get(1)
                + ",127.0.0.1:"
                + ports.get(2));
  }
}
