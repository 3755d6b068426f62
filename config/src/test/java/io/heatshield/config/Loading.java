package io.heatshield.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.config.yaml.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Loads text as if it were the file {@code heatshield.yaml}. */
final class Loading {
  private Loading() {}

  static LoadResult load(String yaml) {
    return load(yaml, Map.of());
  }

  static LoadResult load(String yaml, Map<String, String> environment) {
    byte[] bytes = yaml.getBytes(StandardCharsets.UTF_8);
    return new ConfigLoader(environment).load("heatshield.yaml", bytes);
  }

  static Configuration valid(String yaml) {
    return valid(load(yaml));
  }

  static Configuration valid(String yaml, Map<String, String> environment) {
    return valid(load(yaml, environment));
  }

  static Configuration valid(LoadResult result) {
    assertThat(result).isInstanceOf(LoadResult.Valid.class);
    return ((LoadResult.Valid) result).configuration();
  }

  static List<String> faults(String yaml) {
    return faults(load(yaml));
  }

  static List<String> faults(String yaml, Map<String, String> environment) {
    return faults(load(yaml, environment));
  }

  static List<String> faults(LoadResult result) {
    return result instanceof LoadResult.Invalid invalid
        ? invalid.faults().stream().map(Fault::toString).toList()
        : List.of();
  }

  static List<String> warnings(LoadResult result) {
    return result.warnings().stream().map(Fault::toString).toList();
  }

  static String resource(String name) {
    try (InputStream in = Loading.class.getResourceAsStream(name)) {
      assertThat(in).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
