package io.heatshield.server.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The OpenAPI 3.1 description of a table of routes, made from the table itself. */
final class OpenApi {
  private static final String TOKEN = "admin_token";

  private final String version;
  private volatile Response document = Response.problem(503, "not described yet");

  OpenApi(String version) {
    this.version = version;
  }

  Route route() {
    return Route.get(
        "/api/v1/openapi.json", "Describes every route of this server.", request -> document.now());
  }

  void describe(Routes routes) {
    document = Response.json(document(routes));
  }

  private Map<String, Object> document(Routes routes) {
    var paths = new LinkedHashMap<String, Map<String, Object>>();
    for (Route route : routes.all()) {
      paths
          .computeIfAbsent(route.template(), any -> new LinkedHashMap<>())
          .put(route.method().lowerCase(), operation(route));
    }
    return ordered(
        "openapi",
        "3.1.0",
        "info",
        ordered("title", "Heatshield", "version", version, "license", Map.of("name", "Apache-2.0")),
        "paths",
        paths,
        "components",
        Map.of("securitySchemes", Map.of(TOKEN, ordered("type", "http", "scheme", "bearer"))));
  }

  private static Map<String, Object> operation(Route route) {
    Map<String, Object> operation = ordered("summary", route.summary());
    List<Object> parameters = new ArrayList<>();
    for (String name : route.parameters()) {
      parameters.add(
          ordered(
              "name", name, "in", "path", "required", true, "schema", Map.of("type", "string")));
    }
    route
        .query()
        .forEach(
            (name, meaning) ->
                parameters.add(
                    ordered(
                        "name",
                        name,
                        "in",
                        "query",
                        "description",
                        meaning,
                        "schema",
                        Map.of("type", "string"))));
    if (!parameters.isEmpty()) {
      operation.put("parameters", parameters);
    }
    operation.put("responses", responses(route));
    if (route.isAdmin()) {
      operation.put("security", List.of(Map.of(TOKEN, List.of())));
    }
    return operation;
  }

  private static Map<String, Object> responses(Route route) {
    var responses = new LinkedHashMap<String, Object>();
    if (route.answers().keySet().stream().noneMatch(status -> status < 300)) {
      responses.put("200", answer("Done.", route.produces()));
    }
    route
        .answers()
        .forEach(
            (status, meaning) ->
                responses.put(status.toString(), answer(meaning, route.produces())));
    if (route.isAdmin()) {
      responses.put("401", Map.of("description", "The admin token is missing."));
      responses.put("403", Map.of("description", "The admin token is wrong or none is set."));
    }
    return responses;
  }

  private static Map<String, Object> answer(String meaning, String contentType) {
    return ordered("description", meaning, "content", Map.of(contentType, Map.of()));
  }

  private static Map<String, Object> ordered(Object... namesAndValues) {
    var fields = new LinkedHashMap<String, Object>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return fields;
  }
}
