package io.heatshield.server.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * One thing that the door can be asked: a method, a path template, what it is for, and its handler.
 *
 * <p>A template is made of literal segments and of parameters, as in {@code /api/v1/keys/{key}}; a
 * parameter stands for one segment that is not empty. A route that may change state needs the admin
 * token unless it says {@link #open}. Immutable; methods return changed copies.
 */
public final class Route {
  private static final Pattern TEMPLATE = Pattern.compile("/|(/([A-Za-z0-9._-]+|\\{[a-z_]+}))+");

  private final Method method;
  private final String template;
  private final String summary;
  private final Handler handler;
  private final boolean admin;
  private final String produces;
  private final Map<String, String> query;
  private final Map<Integer, String> answers;

  private Route(
      Method method,
      String template,
      String summary,
      Handler handler,
      boolean admin,
      String produces,
      Map<String, String> query,
      Map<Integer, String> answers) {
    this.method = method;
    this.template = template;
    this.summary = summary;
    this.handler = handler;
    this.admin = admin;
    this.produces = produces;
    this.query = Collections.unmodifiableMap(query);
    this.answers = Collections.unmodifiableMap(answers);
  }

  /** Returns a route that reads, and that anyone who reaches the door may ask. */
  public static Route get(String template, String summary, Handler handler) {
    return of(Method.GET, template, summary, handler);
  }

  /** Returns a route of any method but HEAD, which the route of GET answers. */
  public static Route of(Method method, String template, String summary, Handler handler) {
    if (method == Method.HEAD) {
      throw new IllegalArgumentException("method must not be HEAD: GET answers it");
    }
    if (!TEMPLATE.matcher(template).matches()) {
      throw new IllegalArgumentException(
          "template must be made of /literal and /{parameter}: " + template);
    }
    if (summary.isBlank()) {
      throw new IllegalArgumentException("summary must say what the route is for: " + template);
    }
    var route =
        new Route(
            method,
            template,
            summary,
            handler,
            method.changesState(),
            isApi(template) ? Response.JSON : Response.TEXT,
            Map.of(),
            Map.of());
    if (route.parameters().stream().distinct().count() != route.parameters().size()) {
      throw new IllegalArgumentException("template must not name a parameter twice: " + template);
    }
    return route;
  }

  /** Returns this route for everyone who reaches the door, also if it changes state. */
  public Route open() {
    return new Route(method, template, summary, handler, false, produces, query, answers);
  }

  /** Returns this route for holders of the admin token alone. */
  public Route admin() {
    return new Route(method, template, summary, handler, true, produces, query, answers);
  }

  /** Returns this route with another content type of its answer. */
  public Route producing(String contentType) {
    return new Route(method, template, summary, handler, admin, contentType, query, answers);
  }

  /** Returns this route with a query parameter and its meaning. */
  public Route withQuery(String name, String meaning) {
    var more = new LinkedHashMap<>(query);
    more.put(name, meaning);
    return new Route(method, template, summary, handler, admin, produces, more, answers);
  }

  /** Returns this route with a status that it may answer and what that means. */
  public Route answering(int status, String meaning) {
    var more = new LinkedHashMap<>(answers);
    more.put(status, meaning);
    return new Route(method, template, summary, handler, admin, produces, query, more);
  }

  /** Returns the method. */
  public Method method() {
    return method;
  }

  /** Returns the path template. */
  public String template() {
    return template;
  }

  /** Returns what the route is for, in a sentence. */
  public String summary() {
    return summary;
  }

  /** Returns whether a caller needs the admin token. */
  public boolean isAdmin() {
    return admin;
  }

  Handler handler() {
    return handler;
  }

  String produces() {
    return produces;
  }

  Map<String, String> query() {
    return query;
  }

  Map<Integer, String> answers() {
    return answers;
  }

  /** Returns the segments of the template; the root has one, which is empty. */
  List<String> segments() {
    return List.of(template.substring(1).split("/", -1));
  }

  /** Returns the names of the parameters in the path, from left to right. */
  List<String> parameters() {
    return segments().stream()
        .filter(Route::isParameter)
        .map(segment -> segment.substring(1, segment.length() - 1))
        .toList();
  }

  static boolean isParameter(String segment) {
    return segment.startsWith("{");
  }

  static boolean isApi(String path) {
    return path.startsWith("/api/") || path.equals("/api");
  }
}
