package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.cli.view.JsonObject;
import io.heatshield.runtime.json.JsonReader;
import io.heatshield.testkit.redis.RedisFixture;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The scenes of the demo: in each of them the protection keeps calls away from the store. */
@Tag("thorough")
@Timeout(300)
class DemoScenesIT {

  @Test
  void demo_everyScene_protectionKeepsCallsFromTheStore() {
    List<JsonObject> scenes = run("--seconds", "32");

    assertThat(scenes)
        .extracting(scene -> scene.text("scene"))
        .containsExactly("hot-key", "scanner", "runaway-writer", "rate-limit");
    assertThat(scenes).allSatisfy(DemoScenesIT::assertProtected);
  }

  @Test
  void demo_realRedis_protectsItAndLeavesNoKey() throws Exception {
    try (RedisFixture redis = RedisFixture.start()) {
      redis.command("SET", "mine", "kept");

      List<JsonObject> scenes =
          run("--redis", redis.uri().toString(), "--scene", "hot-key", "--seconds", "8");

      assertThat(scenes).hasSize(1).allSatisfy(DemoScenesIT::assertProtected);
      assertThat(redis.command("DBSIZE")).isEqualTo("1");
      assertThat(redis.command("GET", "mine")).isEqualTo("kept");
    }
  }

  private static void assertProtected(JsonObject scene) {
    double without = calls(scene, "without_protection");
    double with = calls(scene, "with_protection");

    assertThat(scene.number("calls_saved")).as(scene.text("scene")).isPositive();
    assertThat(with).as(scene.text("scene")).isLessThan(without / 3);
  }

  private static double calls(JsonObject scene, String phase) {
    return scene.object(phase).number("attack_store_calls");
  }

  private static List<JsonObject> run(String... options) {
    String[] ports = {"demo", "--json", "--http", "0", "--grpc", "0", "--resp", "0"};
    String[] all = Arrays.copyOf(ports, ports.length + options.length);
    System.arraycopy(options, 0, all, ports.length, options.length);

    Invocation demo = Invocation.of(all);

    assertThat(demo.err()).isEmpty();
    assertThat(demo.code()).isZero();
    return demo.out()
        .lines()
        .map(line -> JsonReader.read(line.getBytes(StandardCharsets.UTF_8)))
        .map(json -> new JsonObject(Objects.requireNonNull(json)))
        .toList();
  }
}
