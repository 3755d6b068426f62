package io.heatshield.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.server.http.RawClient.Answer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class OpenApiTest {

  @Test
  void document_describesEveryRouteOfTheTable() {
    Route explain =
        Route.get("/api/v1/keys/{key}", "Explains a key.", r -> Response.json("x").now())
            .withQuery("scope", "Where the key lives.")
            .answering(200, "What is known.")
            .answering(404, "Nothing is known.");
    Route patch =
        Route.of(Method.PATCH, "/api/v1/config", "Changes.", r -> Response.json("x").now());
    try (var open = OpenDoor.with(explain, patch);
        var client = open.client()) {
      Answer answer = client.get("/api/v1/openapi.json").answer();

      // JSON is YAML, and the house has a YAML parser.
      Object document = new Load(LoadSettings.builder().build()).loadFromString(answer.body());
      assertThat(at(document, "openapi")).isEqualTo("3.1.0");
      assertThat(at(document, "info", "version")).isEqualTo("1.2.3");
      assertThat(keys(at(document, "paths")))
          .containsExactly("/api/v1/keys/{key}", "/api/v1/config", "/api/v1/openapi.json");
      Object get = at(document, "paths", "/api/v1/keys/{key}", "get");
      assertThat(at(get, "summary")).isEqualTo("Explains a key.");
      assertThat(at(get, "parameters").toString())
          .contains("name=key, in=path, required=true", "name=scope, in=query");
      assertThat(keys(at(get, "responses"))).containsExactly("200", "404");
      Object change = at(document, "paths", "/api/v1/config", "patch");
      assertThat(at(change, "security").toString()).isEqualTo("[{admin_token=[]}]");
      assertThat(keys(at(change, "responses"))).containsExactly("200", "401", "403");
    }
  }

  private static List<String> keys(Object map) {
    return ((Map<?, ?>) map).keySet().stream().map(String::valueOf).toList();
  }

  private static Object at(Object document, String... path) {
    Object place = document;
    for (String name : path) {
      Object next = ((Map<?, ?>) place).get(name);
      assertThat(next).as(name).isNotNull();
      place = next;
    }
    return place;
  }
}
