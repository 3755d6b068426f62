package io.heatshield.web.openapi;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the description says about a route beyond its path. Immutable; methods return changed
 * copies.
 *
 * @param listed whether the description names the route at all
 * @param produces the content type of a success
 * @param query the query parameters by name, in order
 * @param path what is said of parameters in the path, by name
 * @param body the JSON that a request must carry, or null if its body is not read
 * @param answers what each status means
 */
public record RouteDocs(
    boolean listed,
    String produces,
    Map<String, Parameter> query,
    Map<String, Parameter> path,
    @Nullable Schema body,
    Map<Integer, Answer> answers) {

  public static RouteDocs producing(String contentType) {
    return new RouteDocs(true, contentType, Map.of(), Map.of(), null, Map.of());
  }

  public RouteDocs unlisted() {
    return new RouteDocs(false, produces, query, path, body, answers);
  }

  public RouteDocs withContentType(String contentType) {
    return new RouteDocs(listed, contentType, query, path, body, answers);
  }

  public RouteDocs withQuery(String name, Parameter parameter) {
    return new RouteDocs(listed, produces, plus(query, name, parameter), path, body, answers);
  }

  public RouteDocs withPath(String name, Parameter parameter) {
    return new RouteDocs(listed, produces, query, plus(path, name, parameter), body, answers);
  }

  public RouteDocs withBody(Schema taken) {
    return new RouteDocs(listed, produces, query, path, taken, answers);
  }

  public RouteDocs withAnswer(int status, Answer answer) {
    return new RouteDocs(listed, produces, query, path, body, plus(answers, status, answer));
  }

  private static <K, V> Map<K, V> plus(Map<K, V> map, K key, V value) {
    var more = new LinkedHashMap<>(map);
    more.put(key, value);
    return Collections.unmodifiableMap(more);
  }

  /** A parameter of the query or of the path. */
  public record Parameter(String meaning, Schema schema) {}

  /** What a status means; the schema is null where the usual one of that status holds. */
  public record Answer(String meaning, @Nullable Schema schema) {}
}
