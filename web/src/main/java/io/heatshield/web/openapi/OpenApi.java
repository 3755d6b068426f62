package io.heatshield.web.openapi;

import io.heatshield.web.http.Response;
import io.heatshield.web.http.Route;
import io.heatshield.web.http.Routes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The OpenAPI 3.1 description of a table of routes, made from the table itself. */
public final class OpenApi {
  private static final String TOKEN = "admin_token";
  private static final Set<Integer> WITHOUT_BODY = Set.of(204, 304);

  private final String version;
  private volatile Response document = Response.problem(503, "not described yet");

  public OpenApi(String version) {
    this.version = version;
  }

  public Route route() {
    return Route.get(
            "/api/v1/openapi.json",
            "Describes every route of this server.",
            request -> document.now())
        .answering(200, "An OpenAPI 3.1 document.", Schema.object());
  }

  public void describe(Routes routes) {
    document = Response.json(document(routes));
  }

  private Map<String, Object> document(Routes routes) {
    var schemas = new NamedSchemas();
    var paths = new LinkedHashMap<String, Map<String, Object>>();
    for (Route route : routes.all()) {
      if (route.docs().listed()) {
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
            "Finds hot keys, explains them, and shows what was done about them.",
            "license",
            ordered("name", "Apache-2.0", "identifier", "Apache-2.0")),
        "servers",
        List.of(ordered("url", "/", "description", "The server that gave this document.")),
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
    Schema body = route.docs().body();
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
    var any = new RouteDocs.Parameter("", Schema.text());
    List<Object> parameters = new ArrayList<>();
    for (String name : route.parameters()) {
      RouteDocs.Parameter said = route.docs().path().getOrDefault(name, any);
      // An empty segment leads elsewhere, so a value has at least one character.
      var schema = new RouteDocs.Parameter(said.meaning(), said.schema().with("minLength", 1));
      parameters.add(parameter(name, "path", true, schema, schemas));
    }
    route
        .docs()
        .query()
        .forEach((name, said) -> parameters.add(parameter(name, "query", false, said, schemas)));
    return parameters;
  }

  private static Map<String, Object> parameter(
      String name, String in, boolean required, RouteDocs.Parameter said, NamedSchemas schemas) {
    Map<String, Object> parameter = ordered("name", name, "in", in, "required", required);
    if (!said.meaning().isEmpty()) {
      parameter.put("description", said.meaning());
    }
    parameter.put("schema", schemas.resolve(said.schema()));
    return parameter;
  }

  private static Map<String, Object> responses(Route route, NamedSchemas schemas) {
    var responses = new LinkedHashMap<String, Object>();
    if (route.docs().answers().keySet().stream().noneMatch(status -> status < 300)) {
      responses.put("200", response(route, 200, new RouteDocs.Answer("Done.", null), schemas));
    }
    route
        .docs()
        .answers()
        .forEach(
            (status, answer) ->
                responses.put(status.toString(), response(route, status, answer, schemas)));
    CommonResponses.of(route).forEach(responses::putIfAbsent);
    return responses;
  }

  private static Map<String, Object> response(
      Route route, int status, RouteDocs.Answer answer, NamedSchemas schemas) {
    Map<String, Object> response = ordered("description", answer.meaning());
    Schema schema = answer.schema();
    if (WITHOUT_BODY.contains(status)) {
      return response;
    }
    if (schema == null && status >= 400) {
      response.put("content", CommonResponses.problem(Route.isApi(route.template()), schemas));
    } else {
      String type = route.docs().produces();
      response.put("content", content(type, schema == null ? any(type) : schemas.resolve(schema)));
    }
    return response;
  }

  private static Map<String, Object> any(String contentType) {
    return contentType.startsWith("text/") ? Map.of("type", "string") : Map.of();
  }

  static Map<String, Object> content(String contentType, @Nullable Map<String, Object> schema) {
    String bare = contentType.replaceFirst(";.*", "");
    return Map.of(bare, schema == null ? Map.of() : Map.of("schema", schema));
  }

  static Map<String, Object> ordered(Object... namesAndValues) {
    var fields = new LinkedHashMap<String, Object>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return fields;
  }
}
