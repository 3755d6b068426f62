package io.heatshield.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.client.RawHttp.Answer;
import io.heatshield.web.openapi.Schema;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class OpenApiTest {

  @Test
  void document_describesEveryRouteOfTheTable() {
    Route explain =
        Route.get("/api/v1/keys/{key}", "Explains a key.", r -> Response.json("x"))
            .withQuery("scope", "Where the key lives.")
            .withQuery("n", "How many.", Schema.integer(1, 1000).byDefault(10))
            .answering(200, "What is known.")
            .answering(404, "Nothing is known.");
    Route patch =
        Route.of(Method.PATCH, "/api/v1/config", "Changes.", r -> Response.json("x"))
            .taking(Schema.object("Change").withField("a", Schema.text()));
    Route file = Route.get("/page.css", "A file.", r -> Response.text(200, "x")).unlisted();
    try (var open = TestServer.with(explain, patch, file);
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
          .contains(
              "name=key, in=path, required=true",
              "name=scope, in=query, required=false",
              "schema={type=integer, format=int32, minimum=1, maximum=1000, default=10}");
      assertThat(at(get, "operationId")).isEqualTo("getKeysByKey");
      assertThat(keys(at(get, "responses")))
          .containsExactly("200", "404", "400", "403", "431", "500", "503");
      assertThat(at(get, "responses", "404", "content", "application/json", "schema").toString())
          .isEqualTo("{$ref=#/components/schemas/Problem}");
      Object change = at(document, "paths", "/api/v1/config", "patch");
      assertThat(at(change, "security").toString()).isEqualTo("[{admin_token=[]}]");
      assertThat(keys(at(change, "responses"))).contains("200", "400", "401", "403", "413");
      assertThat(at(change, "requestBody", "content", "application/json", "schema").toString())
          .isEqualTo("{$ref=#/components/schemas/Change}");
      assertThat(keys(at(document, "components", "schemas"))).containsExactly("Problem", "Change");
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
