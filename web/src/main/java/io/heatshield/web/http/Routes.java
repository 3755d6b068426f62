package io.heatshield.web.http;

import io.heatshield.web.openapi.OpenApi;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The table of all routes of a door. Immutable; any thread may ask it.
 *
 * <p>A path is cut at its slashes first and decoded afterwards, so an encoded slash stays inside
 * its segment. A literal segment is preferred to a parameter. Nothing is normalised: {@code ..} is
 * a segment like any other, that no literal equals.
 */
public final class Routes {
  private final List<Route> all;
  private final Node root = new Node();

  private Routes(List<Route> all) {
    this.all = List.copyOf(all);
    this.all.forEach(this::insert);
  }

  /** Returns an empty table to fill. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the routes in the order they were added. */
  public List<Route> all() {
    return all;
  }

  /**
   * Returns what a path leads to, or null if it leads nowhere.
   *
   * @throws BadRequestException if a segment's percent-encoding is broken
   */
  @Nullable Place find(String path) {
    if (!path.startsWith("/")) {
      return null;
    }
    List<byte[]> segments = new ArrayList<>();
    for (String segment : path.substring(1).split("/", -1)) {
      segments.add(PercentText.bytes(segment));
    }
    List<byte[]> values = new ArrayList<>();
    Node node = root.find(segments, 0, values);
    return node == null ? null : new Place(node.routes, values);
  }

  private void insert(Route route) {
    Node node = root;
    for (String segment : route.segments()) {
      node = Route.isParameter(segment) ? node.parameter() : node.literal(segment);
    }
    if (node.routes.put(route.method(), route) != null) {
      throw new IllegalArgumentException(
          "route must not be there already: " + route.method() + " " + route.template());
    }
  }

  /** Where a path leads: the routes there by method, and the values of its parameters. */
  record Place(Map<Method, Route> routes, List<byte[]> values) {

    @Nullable Route route(@Nullable Method method) {
      return routes.get(method == Method.HEAD ? Method.GET : method);
    }

    /** Returns the value of the header Allow. */
    String allowed() {
      Set<String> names = new TreeSet<>();
      for (Method method : routes.keySet()) {
        names.add(method.name());
        if (method == Method.GET) {
          names.add(Method.HEAD.name());
        }
      }
      return String.join(", ", names);
    }

    Map<String, byte[]> parameters(Route route) {
      var parameters = new HashMap<String, byte[]>();
      List<String> names = route.parameters();
      for (int i = 0; i < names.size(); i++) {
        parameters.put(names.get(i), values.get(i));
      }
      return parameters;
    }
  }

  private static final class Node {
    private final Map<String, Node> literals = new LinkedHashMap<>();
    private final Map<Method, Route> routes = new EnumMap<>(Method.class);
    private @Nullable Node parameter;

    Node literal(String segment) {
      return literals.computeIfAbsent(segment, any -> new Node());
    }

    Node parameter() {
      Node node = parameter;
      if (node == null) {
        node = new Node();
        parameter = node;
      }
      return node;
    }

    @Nullable Node find(List<byte[]> segments, int depth, List<byte[]> values) {
      if (depth == segments.size()) {
        return routes.isEmpty() ? null : this;
      }
      byte[] segment = segments.get(depth);
      // Literals are ASCII, so comparing as Latin-1 confuses no two segments.
      Node literal = literals.get(new String(segment, StandardCharsets.ISO_8859_1));
      Node found = literal == null ? null : literal.find(segments, depth + 1, values);
      if (found != null || parameter == null || segment.length == 0) {
        return found;
      }
      values.add(segment);
      found = parameter.find(segments, depth + 1, values);
      if (found == null) {
        values.remove(values.size() - 1);
      }
      return found;
    }
  }

  /** A table of routes in the making. */
  public static final class Builder {
    private final List<Route> routes = new ArrayList<>();

    private Builder() {}

    /** Adds a route. */
    public Builder add(Route route) {
      routes.add(route);
      return this;
    }

    /** Adds routes. */
    public Builder addAll(Collection<Route> more) {
      routes.addAll(more);
      return this;
    }

    /**
     * Returns the table, with {@code GET /api/v1/openapi.json} that describes it.
     *
     * @param version the version of the server, as the description shows it
     * @throws IllegalArgumentException if two routes have the same method and path
     */
    public Routes build(String version) {
      List<Route> complete = new ArrayList<>(routes);
      var document = new OpenApi(version);
      complete.add(document.route());
      var table = new Routes(complete);
      document.describe(table);
      return table;
    }
  }
}
