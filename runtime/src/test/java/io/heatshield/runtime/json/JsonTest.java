package io.heatshield.runtime.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class JsonTest {

  @Test
  void write_plainValues_isJson() {
    var map = new LinkedHashMap<String, Object>();
    map.put("a", List.of(1, -2L, 1.5, true));
    map.put("b", new LinkedHashMap<>());
    map.put("c", new ArrayList<>());

    assertThat(Json.write(map)).isEqualTo("{\"a\":[1,-2,1.5,true],\"b\":{},\"c\":[]}");
    assertThat(Json.write(null)).isEqualTo("null");
    assertThat(Json.write(Arrays.asList("x", null))).isEqualTo("[\"x\",null]");
  }

  @Test
  void write_record_hasSnakeCaseNames() {
    record Setting(String path, int maxKeys, Optional<String> notSet, TimeUnit unit) {}

    assertThat(Json.write(new Setting("a", 3, Optional.empty(), TimeUnit.SECONDS)))
        .isEqualTo("{\"path\":\"a\",\"max_keys\":3,\"not_set\":null,\"unit\":\"seconds\"}");
  }

  @Test
  void write_text_escapesSpecialCharacters() {
    String nasty = "\"\\\b\n\r\t\0\u001f\u007f</script>&\u2028\u2029\ud800x\udc00";

    assertThat(Json.write(nasty))
        .isEqualTo(
            "\"\\\"\\\\\\u0008\\n\\r\\t\\u0000\\u001f\\u007f\\u003c/script\\u003e\\u0026"
                + "\\u2028\\u2029\\ud800x\\udc00\"");
  }

  @Test
  void write_pairOfSurrogates_staysACharacter() {
    assertThat(Json.write("\ud83d\ude00é")).isEqualTo("\"\ud83d\ude00é\"");
  }

  @Test
  void write_unsupportedValue_isRejected() {
    assertThatThrownBy(() -> Json.write(Double.NaN)).hasMessageContaining("finite");
    assertThatThrownBy(() -> Json.write(Float.POSITIVE_INFINITY)).hasMessageContaining("finite");
    assertThatThrownBy(() -> Json.write(new byte[1])).hasMessageContaining("type");
    assertThatThrownBy(() -> Json.write(Map.of(1, 2))).hasMessageContaining("text");
    Object deep = "x";
    for (int i = 0; i < 100; i++) {
      deep = List.of(deep);
    }
    Object tooDeep = deep;
    assertThatThrownBy(() -> Json.write(tooDeep)).hasMessageContaining("deeper");
  }
}
