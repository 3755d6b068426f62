package io.heatshield.web.http;

import io.heatshield.web.openapi.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One operation of the HTTP API: method, path template, handler and documentation.
 *
 * <p>A template consists of literal segments and parameters, as in {@code /api/v1/keys/{key}}. A
 * parameter matches one non-empty segment. A route that may change state requires the admin token,
 * unless it is {@link #open}. The methods that return {@code Route} configure this route and must
 * not be called once it has been added to a table.
 */
public final class Route {
  private static final Pattern TEMPLATE = Pattern.compile("/|(/([A-Za-z0-9._-]+|\\{[a-z_]+}))+");

  private final Method method;
  private final String template;
  private final String summary;
  private final Handler handler;
  private final Map<String, Parameter> query = new LinkedHashMap<>();
  private final Map<String, Parameter> path = new LinkedHashMap<>();
  private final Map<Integer, Answer> answers = new LinkedHashMap<>();
  private boolean admin;
  private boolean listed = true;
  private String produces;
  private @Nullable Schema body;

  private Route(Method method, String template, String summary, Handler handler) {
    this.method = method;
    this.template = template;
    this.summary = summary;
    this.handler = handler;
    this.admin = method.changesState();
    this.produces = isApi(template) ? Response.JSON : Response.TEXT;
  }

  /** Returns a route of GET, without admin token. */
  public static Route get(String template, String summary, Function<Request, Response> handler) {
    return of(Method.GET, template, summary, handler);
  }

  /** Returns a route whose handler responds immediately. */
  public static Route of(
      Method method, String template, String summary, Function<Request, Response> handler) {
    return async(method, template, summary, request -> handler.apply(request).completed());
  }

  /** Returns a route of any method except HEAD, which the route of GET serves. */
  public static Route async(Method method, String template, String summary, Handler handler) {
    if (method == Method.HEAD) {
      throw new IllegalArgumentException("method must not be HEAD: GET serves it");
    }
    if (!TEMPLATE.matcher(template).matches()) {
      throw new IllegalArgumentException(
          "template must consist of /literal and /{parameter}: " + template);
    }
    if (summary.isBlank()) {
      throw new IllegalArgumentException("summary must not be blank: " + template);
    }
    var route = new Route(method, template, summary, handler);
    if (route.parameters().stream().distinct().count() != route.parameters().size()) {
      throw new IllegalArgumentException("template must not name a parameter twice: " + template);
    }
    return route;
  }

  /** Drops the requirement of the admin token. */
  public Route open() {
    admin = false;
    return this;
  }

  /** Omits this route from the OpenAPI document. */
  public Route unlisted() {
    listed = false;
    return this;
  }

  /** Sets the content type of a successful response. */
  public Route producing(String contentType) {
    produces = contentType;
    return this;
  }

  /** Documents a text parameter of the query. */
  public Route withQuery(String name, String meaning) {
    return withQuery(name, meaning, Schema.text());
  }

  /** Documents a parameter of the query. */
  public Route withQuery(String name, String meaning, Schema schema) {
    query.put(name, new Parameter(meaning, schema));
    return this;
  }

  /** Documents a parameter of the path. */
  public Route withPath(String name, String meaning, Schema schema) {
    if (!parameters().contains(name)) {
      throw new IllegalArgumentException("name must be a parameter of " + template + ": " + name);
    }
    path.put(name, new Parameter(meaning, schema));
    return this;
  }

  /** Documents the JSON body of a request. */
  public Route taking(Schema schema) {
    body = schema;
    return this;
  }

  /**
   * Documents a status. Its body is text if the route produces text, and {@code {"error",
   * "status"}} from status 400.
   */
  public Route answering(int status, String meaning) {
    answers.put(status, new Answer(meaning, null));
    return this;
  }

  /** Documents a status with the schema of its body. */
  public Route answering(int status, String meaning, Schema schema) {
    answers.put(status, new Answer(meaning, schema));
    return this;
  }

  /** Documents a status whose body is a record. */
  public Route answering(int status, String meaning, Class<? extends Record> type) {
    return answering(status, meaning, Schema.of(type));
  }

  public Method method() {
    return method;
  }

  public String template() {
    return template;
  }

  /** Returns the description of the route, a sentence. */
  public String summary() {
    return summary;
  }

  /** Returns whether the admin token is required. */
  public boolean isAdmin() {
    return admin;
  }

  /** Returns whether the OpenAPI document contains the route. */
  public boolean isListed() {
    return listed;
  }

  /** Returns the content type of a successful response. */
  public String produces() {
    return produces;
  }

  /** Returns the documented parameters of the query by name, in order. */
  public Map<String, Parameter> query() {
    return query;
  }

  /** Returns the documented parameters of the path by name. */
  public Map<String, Parameter> path() {
    return path;
  }

  /** Returns the schema of the request body, or null if the body is ignored. */
  public @Nullable Schema body() {
    return body;
  }

  /** Returns the documented responses by status. */
  public Map<Integer, Answer> answers() {
    return answers;
  }

  Handler handler() {
    return handler;
  }

  /** Returns the segments of the template; the root has one empty segment. */
  public List<String> segments() {
    return List.of(template.substring(1).split("/", -1));
  }

  /** Returns the names of the path parameters, from left to right. */
  public List<String> parameters() {
    return segments().stream()
        .filter(Route::isParameter)
        .map(segment -> segment.substring(1, segment.length() - 1))
        .toList();
  }

  /** Returns whether a segment of a template is a parameter. */
  public static boolean isParameter(String segment) {
    return segment.startsWith("{");
  }

  /** Returns whether a path belongs to the API, whose errors are JSON. */
  public static boolean isApi(String path) {
    return path.startsWith("/api/") || path.equals("/api");
  }

  /** A parameter of the query or of the path. */
  public record Parameter(String meaning, Schema schema) {}

  /** The meaning of a status; the schema is null if the status has its usual body. */
  public record Answer(String meaning, @Nullable Schema schema) {}
}
