package io.heatshield.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.harrel.jsonschema.providers.GsonNode;
import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** YAML files of the tree, read and checked. */
final class Documents {
  static final Path ROOT = Path.of(System.getProperty("house.root", ".."));
  static final Path DEPLOY = ROOT.resolve("deploy");

  private static final Gson GSON = new GsonBuilder().serializeNulls().create();

  private Documents() {}

  /** Returns the documents of a YAML text that are not empty. */
  static List<Object> read(String yaml) {
    var documents = new ArrayList<Object>();
    for (Object document : new Load(LoadSettings.builder().build()).loadAllFromString(yaml)) {
      if (document != null) {
        documents.add(document);
      }
    }
    return documents;
  }

  /** Returns the one document of a file. */
  static Object read(Path file) throws IOException {
    List<Object> documents = read(Files.readString(file));
    assertThat(documents).hasSize(1);
    return documents.get(0);
  }

  /** Returns the value at a path of keys, and of indexes for items of lists. */
  static Object at(Object document, Object... path) {
    Object value = document;
    for (Object step : path) {
      value = step instanceof Integer i ? list(value).get(i) : map(value).get(step);
      assertThat(value).as("%s in %s", step, List.of(path)).isNotNull();
    }
    return value;
  }

  static Map<?, ?> map(Object value) {
    assertThat(value).isInstanceOf(Map.class);
    return (Map<?, ?>) value;
  }

  static List<?> list(Object value) {
    assertThat(value).isInstanceOf(List.class);
    return (List<?>) value;
  }

  /** Returns the violations of a schema in the test's resources by a document. */
  static List<String> faults(String schema, Object document) throws IOException {
    Validator.Result result =
        new ValidatorFactory()
            .withJsonNodeFactory(new GsonNode.Factory())
            .validate(resource(schema), GSON.toJson(document));
    return result.getErrors().stream()
        .map(error -> error.getInstanceLocation() + ": " + error.getError())
        .toList();
  }

  /** Asserts that a configuration is valid. */
  static void assertConfiguration(String yaml) {
    LoadResult result =
        new ConfigLoader(Map.of()).load("file", yaml.getBytes(StandardCharsets.UTF_8));

    assertThat(result).as("%s", result).isInstanceOf(LoadResult.Valid.class);
  }

  /** Returns a program on the path of this machine, if it is there. */
  static Optional<Path> program(String name) {
    return List.of(System.getenv().getOrDefault("PATH", "").split(":", -1)).stream()
        .map(part -> Path.of(part, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static String resource(String name) throws IOException {
    try (InputStream stream = Documents.class.getResourceAsStream("/" + name)) {
      return new String(
          Objects.requireNonNull(stream, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
