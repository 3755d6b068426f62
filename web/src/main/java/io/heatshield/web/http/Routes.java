package io.heatshield.web.http;

import io.heatshield.web.openapi.OpenApi;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The immutable routing table of a server.
 *
 * <p>A path is split at its slashes before it is decoded, so an encoded slash stays inside its
 * segment. A literal segment takes precedence over a parameter. Paths are not normalised: {@code
 * ..} is an ordinary segment that equals no literal.
 */
public final class Routes {
  private final List<Route> all;

  // In the order of the templates, in which a parameter sorts after every literal: '{' is above all
  // characters that a literal may contain. So the first match is the most literal one.
  private final TreeMap<String, Path> paths = new TreeMap<>();

  private Routes(List<Route> all) {
    this.all = List.copyOf(all);
    for (Route route : all) {
      String shape = route.template().replaceAll("\\{[a-z_]+}", "{}");
      Path path = paths.computeIfAbsent(shape, any -> new Path(route.segments()));
      if (path.routes.put(route.method(), route) != null) {
        throw new IllegalArgumentException(
            "route must be unique: " + route.method() + " " + route.template());
      }
    }
  }

  /** Returns a builder without routes. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the routes in the order they were added. */
  public List<Route> all() {
    return all;
  }

  /**
   * Returns the routes that match a path, or null if there is none.
   *
   * @throws BadRequestException if the percent-encoding of a segment is malformed
   */
  @Nullable Match find(String path) {
    if (!path.startsWith("/")) {
      return null;
    }
    List<byte[]> segments = new ArrayList<>();
    for (String segment : path.substring(1).split("/", -1)) {
      segments.add(PercentDecoder.bytes(segment));
    }
    for (Path candidate : paths.values()) {
      List<byte[]> values = candidate.match(segments);
      if (values != null) {
        return new Match(candidate.routes, values);
      }
    }
    return null;
  }

  /** The routes that match a path, by method, and the values of the path parameters. */
  record Match(Map<Method, Route> routes, List<byte[]> values) {

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

  private record Path(List<String> segments, Map<Method, Route> routes) {
    Path(List<String> segments) {
      this(segments, new EnumMap<>(Method.class));
    }

    /** Returns the values of the parameters, or null if the path does not match. */
    @Nullable List<byte[]> match(List<byte[]> path) {
      if (path.size() != segments.size()) {
        return null;
      }
      List<byte[]> values = new ArrayList<>();
      for (int i = 0; i < path.size(); i++) {
        byte[] segment = path.get(i);
        if (Route.isParameter(segments.get(i)) && segment.length > 0) {
          values.add(segment);
          // Literals are ASCII, so a comparison as Latin-1 is exact.
        } else if (!segments.get(i).equals(new String(segment, StandardCharsets.ISO_8859_1))) {
          return null;
        }
      }
      return values;
    }
  }

  /** Builds a routing table. */
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
     * Returns the table, including {@code GET /api/v1/openapi.json}, which describes it.
     *
     * @param version the version of the server, for the description
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
