package io.heatshield.web.openapi;

import io.heatshield.web.http.Response;
import io.heatshield.web.http.Route;
import io.heatshield.web.http.Routes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Generates the OpenAPI 3.1 document of a routing table. */
public final class OpenApi {
  private static final String TOKEN = "admin_token";
  private static final Set<Integer> WITHOUT_BODY = Set.of(204, 304);

  private final String version;
  private volatile Response document = Response.problem(503, "the document is not available yet");

  /** Creates a generator that shows a version of the server. */
  public OpenApi(String version) {
    this.version = version;
  }

  /** Returns the route that serves the document. */
  public Route route() {
    return Route.get(
            "/api/v1/openapi.json",
            "Returns the OpenAPI document of this server.",
            request -> document)
        .answering(200, "An OpenAPI 3.1 document.", Schema.object());
  }

  /** Generates the document. */
  public void describe(Routes routes) {
    document = Response.json(document(routes));
  }

  private Map<String, Object> document(Routes routes) {
    var schemas = new NamedSchemas();
    var paths = new LinkedHashMap<String, Map<String, Object>>();
    for (Route route : routes.all()) {
      if (route.isListed()) {
        paths
            .computeIfAbsent(route.template(), any -> new LinkedHashMap<>())
            .put(route.method().lowerCase(), operation(route, schemas));
      }
    }
    return ordered(
        "openapi",
        "3.1.0",
        "info",
        ordered(
            "title",
            "Heatshield",
            "version",
            version,
            "description",
            "Hot-key detection and protection: hot keys, explanations, savings and settings.",
            "license",
            ordered("name", "Apache-2.0", "identifier", "Apache-2.0")),
        "servers",
        List.of(ordered("url", "/", "description", "This server.")),
        "paths",
        paths,
        "components",
        ordered(
            "schemas",
            schemas.all(),
            "responses",
            CommonResponses.all(schemas),
            "securitySchemes",
            Map.of(TOKEN, ordered("type", "http", "scheme", "bearer"))));
  }

  private static Map<String, Object> operation(Route route, NamedSchemas schemas) {
    Map<String, Object> operation =
        ordered("operationId", OperationId.of(route), "summary", route.summary());
    List<Object> parameters = parameters(route, schemas);
    if (!parameters.isEmpty()) {
      operation.put("parameters", parameters);
    }
    Schema body = route.body();
    if (body != null) {
      operation.put(
          "requestBody",
          ordered("required", true, "content", content(Response.JSON, schemas.resolve(body))));
    }
    operation.put("responses", responses(route, schemas));
    if (route.isAdmin()) {
      operation.put("security", List.of(Map.of(TOKEN, List.of())));
    }
    return operation;
  }

  private static List<Object> parameters(Route route, NamedSchemas schemas) {
    var any = new Route.Parameter("", Schema.text());
    List<Object> parameters = new ArrayList<>();
    for (String name : route.parameters()) {
      Route.Parameter documented = route.path().getOrDefault(name, any);
      // A parameter never matches an empty segment.
      var schema =
          new Route.Parameter(documented.meaning(), documented.schema().with("minLength", 1));
      parameters.add(parameter(name, "path", true, schema, schemas));
    }
    route
        .query()
        .forEach((name, query) -> parameters.add(parameter(name, "query", false, query, schemas)));
    return parameters;
  }

  private static Map<String, Object> parameter(
      String name, String in, boolean required, Route.Parameter documented, NamedSchemas schemas) {
    Map<String, Object> parameter = ordered("name", name, "in", in, "required", required);
    if (!documented.meaning().isEmpty()) {
      parameter.put("description", documented.meaning());
    }
    parameter.put("schema", schemas.resolve(documented.schema()));
    return parameter;
  }

  private static Map<String, Object> responses(Route route, NamedSchemas schemas) {
    var responses = new LinkedHashMap<String, Object>();
    if (route.answers().keySet().stream().noneMatch(status -> status < 300)) {
      responses.put("200", response(route, 200, new Route.Answer("Success.", null), schemas));
    }
    route
        .answers()
        .forEach(
            (status, answer) ->
                responses.put(status.toString(), response(route, status, answer, schemas)));
    CommonResponses.of(route).forEach(responses::putIfAbsent);
    return responses;
  }

  private static Map<String, Object> response(
      Route route, int status, Route.Answer answer, NamedSchemas schemas) {
    Map<String, Object> response = ordered("description", answer.meaning());
    Schema schema = answer.schema();
    if (WITHOUT_BODY.contains(status)) {
      return response;
    }
    if (schema == null && status >= 400) {
      response.put("content", CommonResponses.problem(Route.isApi(route.template()), schemas));
    } else {
      String type = route.produces();
      response.put("content", content(type, schema == null ? any(type) : schemas.resolve(schema)));
    }
    return response;
  }

  private static Map<String, Object> any(String contentType) {
    return contentType.startsWith("text/") ? Map.of("type", "string") : Map.of();
  }

  static Map<String, Object> content(String contentType, Map<String, Object> schema) {
    String bare = contentType.replaceFirst(";.*", "");
    return Map.of(bare, Map.of("schema", schema));
  }

  static Map<String, Object> ordered(Object... namesAndValues) {
    var fields = new LinkedHashMap<String, Object>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return fields;
  }
}
