package io.heatshield.server.fleet;

import static io.heatshield.server.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.server.TestServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes whose counts cannot be added are listed as refused in the answers of real servers. */
@Timeout(120)
class FleetRefusalIT {
  private static final String OTHER = "0123456789abcdef0123456789abcdef";

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
  void hot_nodeOfAnotherVersion_isRefusedByNameAndNotAdded() throws Exception {
    TestServer one = fleet.serve("a", "");
    one.server().scopes().open("main").touch("k");

    fleet.redis.command("SET", FleetServers.KEYS + "node:newer-000000", "HSFL\u0002 of tomorrow");
    fleet.redis.command("HSET", FleetServers.KEYS + "nodes", "newer-000000", "1");

    await(() -> FleetServers.hot(one).contains("\"node\":\"newer-000000\""));
    await(() -> FleetServers.hot(one).contains("\"touches\":1"));
    assertThat(FleetServers.hot(one))
        .contains("\"node\":\"newer-000000\",\"state\":\"refused\"")
        .contains("its format is of version 2, this process reads version 1")
        .contains("\"nodes\":1,\"touches\":1");
  }

  @Test
  void hot_nodeOfAnotherSketchSize_isRefusedByNameAndNotAdded() throws Exception {
    TestServer one = fleet.serve("a", "");
    one.server().scopes().open("main").touch("k");
    await(() -> FleetServers.hot(one).contains("\"touches\":1"));

    TestServer wide = fleet.serve("wide", "detect: { width: 2048 }\n");
    wide.server().scopes().open("main").touch("k");

    await(() -> FleetServers.hot(one).contains("\"state\":\"refused\""));
    assertThat(FleetServers.hot(one))
        .containsPattern("\"node\":\"wide-[0-9a-f]{6}\",\"state\":\"refused\"")
        .contains("scope main: its sketch is 2048 x 4, the fleet's is 1024 x 4")
        .contains("\"nodes\":1,\"touches\":1");
  }

  @Test
  void hot_nodeThatDrewItsOwnSecret_isRefusedByNameUntilItIsStartedAgain() throws Exception {
    fleet.redis.kill();
    TestServer alone = fleet.serve("alone", "");
    fleet.redis.restart();
    await(() -> FleetServers.hot(alone).contains("\"local_only\":null"));
    fleet.redis.command("SET", FleetServers.KEYS + "secret", OTHER);
    TestServer one = fleet.serve("a", "");

    await(() -> FleetServers.hot(alone).contains("restart the node to join it"));
    await(() -> FleetServers.hot(one).contains("\"state\":\"refused\""));
    String refused = FleetServers.hot(one);
    alone.stop();
    TestServer again = fleet.serve("alone", "");

    assertThat(refused).containsPattern("\"node\":\"alone-[0-9a-f]{6}\",\"state\":\"refused\"");
    assertThat(refused).contains("another secret");
    await(() -> FleetServers.hot(again).split("\"state\":\"live\"", -1).length == 3);
    assertThat(FleetServers.hot(again)).doesNotContain("refused");
  }

  @Test
  void start_redisUnavailableAfterAnotherSecretWasSaved_usesThatOne() throws Exception {
    TestServer one = fleet.serve("a", "");
    await(() -> FleetServers.hot(one).contains("\"local_only\":null"));
    fleet.redis.command("SET", FleetServers.KEYS + "secret", OTHER);
    await(() -> FleetServers.hot(one).contains("another secret"));

    fleet.redis.kill();
    one.stop();
    TestServer again = fleet.serve("a", "");
    fleet.redis.restart();

    await(() -> FleetServers.hot(again).contains("\"local_only\":null"));
    assertThat(fleet.redis.command("GET", FleetServers.KEYS + "secret")).isEqualTo(OTHER);
  }
}
