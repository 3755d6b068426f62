package io.heatshield.cli.pairs;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.cli.Wait;
import io.heatshield.cli.view.JsonObject;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Checks what a server reports about the hot key while no client uses it. */
final class HeatCheck {
  private HeatCheck() {}

  /**
   * Checks every view of the counter.
   *
   * @param sure touches that the process surely counted
   * @param most touches that it may have counted
   */
  static void check(ServerProcess server, Combination combination, long sure, long most)
      throws IOException {
    String scope = combination.isShield() ? "shield" : "main";
    String path = "api/v1/hot?scope=" + scope;
    Wait.until("hot in " + path, () -> only(server.facts(path)).text("state").equals("hot"));
    JsonObject hot = only(server.facts(path));
    assertThat(hot.number("estimate")).as("estimate").isGreaterThanOrEqualTo((double) sure);
    assertThat(hot.number("guaranteed")).as("guaranteed").isLessThanOrEqualTo((double) most);
    JsonObject explained =
        server.facts(
            "api/v1/keys/"
                + URLEncoder.encode(RandomSteps.COUNTER, StandardCharsets.UTF_8)
                + "?scope="
                + scope);
    assertThat(explained.text("state")).as("explained").isEqualTo("hot");
    assertThat(explained.number("estimate")).as("explained").isEqualTo(hot.number("estimate"));
    if (combination.isOn(Factor.FLEET)) {
      String whole = path + "&fleet=true";
      Wait.until(
          "the fleet's estimate is at least " + sure,
          () -> only(server.facts(whole)).number("estimate") >= sure);
    }
  }

  /** Returns the one entry of the counter. */
  private static JsonObject only(JsonObject answer) {
    List<JsonObject> entries =
        answer.list("scopes").stream()
            .flatMap(scope -> scope.list("keys").stream())
            .filter(key -> key.text("key").equals(RandomSteps.COUNTER))
            .toList();
    assertThat(entries).as("entries of the hot key").hasSize(1);
    return entries.get(0);
  }
}
