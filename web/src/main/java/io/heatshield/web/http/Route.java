package io.heatshield.web.http;

import io.heatshield.web.openapi.RouteDocs;
import io.heatshield.web.openapi.Schema;
import java.util.List;
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
  private final RouteDocs docs;

  private Route(
      Method method,
      String template,
      String summary,
      Handler handler,
      boolean admin,
      RouteDocs docs) {
    this.method = method;
    this.template = template;
    this.summary = summary;
    this.handler = handler;
    this.admin = admin;
    this.docs = docs;
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
            RouteDocs.producing(isApi(template) ? Response.JSON : Response.TEXT));
    if (route.parameters().stream().distinct().count() != route.parameters().size()) {
      throw new IllegalArgumentException("template must not name a parameter twice: " + template);
    }
    return route;
  }

  /** Returns this route for everyone who reaches the door, also if it changes state. */
  public Route open() {
    return new Route(method, template, summary, handler, false, docs);
  }

  /** Returns this route for holders of the admin token alone. */
  public Route admin() {
    return new Route(method, template, summary, handler, true, docs);
  }

  /** Returns this route left out of the description, as the files of the page are. */
  public Route unlisted() {
    return with(docs.unlisted());
  }

  /** Returns this route with another content type of its answer. */
  public Route producing(String contentType) {
    return with(docs.withContentType(contentType));
  }

  /** Returns this route with a query parameter of any text, and its meaning. */
  public Route withQuery(String name, String meaning) {
    return withQuery(name, meaning, Schema.text());
  }

  /** Returns this route with a query parameter and its meaning. */
  public Route withQuery(String name, String meaning, Schema schema) {
    return with(docs.withQuery(name, new RouteDocs.Parameter(meaning, schema)));
  }

  /** Returns this route with what a parameter of its path means. */
  public Route withPath(String name, String meaning, Schema schema) {
    if (!parameters().contains(name)) {
      throw new IllegalArgumentException("name must be a parameter of " + template + ": " + name);
    }
    return with(docs.withPath(name, new RouteDocs.Parameter(meaning, schema)));
  }

  /** Returns this route with the JSON that the body of a request must hold. */
  public Route taking(Schema body) {
    return with(docs.withBody(body));
  }

  /**
   * Returns this route with a status that it may answer and what that means.
   *
   * <p>The body is text where the route produces text, and {@code {"error", "status"}} from status
   * 400 on.
   */
  public Route answering(int status, String meaning) {
    return with(docs.withAnswer(status, new RouteDocs.Answer(meaning, null)));
  }

  /** Returns this route with a status that it may answer with this body, and what that means. */
  public Route answering(int status, String meaning, Schema body) {
    return with(docs.withAnswer(status, new RouteDocs.Answer(meaning, body)));
  }

  /** Returns this route with a status that it may answer with a record, and what that means. */
  public Route answering(int status, String meaning, Class<? extends Record> body) {
    return answering(status, meaning, Schema.of(body));
  }

  private Route with(RouteDocs other) {
    return new Route(method, template, summary, handler, admin, other);
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

  public RouteDocs docs() {
    return docs;
  }

  /** Returns the segments of the template; the root has one, which is empty. */
  List<String> segments() {
    return List.of(template.substring(1).split("/", -1));
  }

  /** Returns the names of the parameters in the path, from left to right. */
  public List<String> parameters() {
    return segments().stream()
        .filter(Route::isParameter)
        .map(segment -> segment.substring(1, segment.length() - 1))
        .toList();
  }

  public static boolean isParameter(String segment) {
    return segment.startsWith("{");
  }

  public static boolean isApi(String path) {
    return path.startsWith("/api/") || path.equals("/api");
  }
}
