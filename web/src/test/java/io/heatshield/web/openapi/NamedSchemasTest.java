package io.heatshield.web.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.runtime.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NamedSchemasTest {

  @Test
  void resolve_record_describesEveryComponentAsJsonWritesIt() {
    var schemas = new NamedSchemas();

    Map<String, Object> reference = schemas.resolve(Schema.of(SampleView.class));

    assertThat(Json.write(reference))
        .isEqualTo("{\"$ref\":\"#/components/schemas/NamedSchemasTestSample\"}");
    assertThat(Json.write(schemas.all().get("NamedSchemasTestSample")))
        .isEqualTo(
            "{\"type\":\"object\",\"properties\":{"
                + "\"key_hash\":{\"type\":\"string\"},"
                + "\"hot\":{\"type\":\"boolean\"},"
                + "\"size\":{\"type\":\"integer\",\"format\":\"int64\"},"
                + "\"since\":{\"type\":[\"string\",\"null\"],\"format\":\"date-time\"},"
                + "\"color\":{\"type\":[\"string\",\"null\"],\"enum\":[\"dark_red\",null]},"
                + "\"parts\":{\"type\":\"array\",\"items\":"
                + "{\"$ref\":\"#/components/schemas/NamedSchemasTestPart\"}},"
                + "\"by_name\":{\"type\":\"object\",\"additionalProperties\":"
                + "{\"type\":\"number\",\"format\":\"double\"}}},"
                + "\"required\":[\"key_hash\",\"hot\",\"size\",\"since\",\"color\",\"parts\","
                + "\"by_name\"]}");
  }

  @Test
  void resolve_objectsOfOneNameThatDiffer_isRefused() {
    var schemas = new NamedSchemas();
    schemas.resolve(Schema.object("Thing").withField("a", Schema.text()));

    assertThatThrownBy(() -> schemas.resolve(Schema.object("Thing").withField("b", Schema.text())))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Thing");
  }

  @Test
  void orNull_namedObject_keepsItsReference() {
    var schemas = new NamedSchemas();

    Map<String, Object> resolved = schemas.resolve(Schema.object("Thing").orNull());

    assertThat(Json.write(resolved))
        .isEqualTo("{\"anyOf\":[{\"$ref\":\"#/components/schemas/Thing\"},{\"type\":\"null\"}]}");
  }

  private enum Color {
    DARK_RED
  }

  private record SampleView(
      String keyHash,
      boolean hot,
      long size,
      @Nullable Instant since,
      Optional<Color> color,
      List<Part> parts,
      Map<String, Double> byName) {}

  private record Part(int weight) {}
}
