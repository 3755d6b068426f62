package io.heatshield.web.openapi;

import static io.heatshield.web.openapi.OpenApi.ordered;

import io.heatshield.web.http.Problem;
import io.heatshield.web.http.Response;
import io.heatshield.web.http.Route;
import java.util.LinkedHashMap;
import java.util.Map;

/** The error responses that all routes share, sent by the server instead of the handler. */
public final class CommonResponses {
  private static final Map<Integer, String> MEANINGS = meanings();

  private CommonResponses() {}

  private static Map<Integer, String> meanings() {
    var meanings = new LinkedHashMap<Integer, String>();
    meanings.put(400, "The request, a parameter or the body is invalid; the error says why.");
    meanings.put(401, "The admin token is missing.");
    meanings.put(
        403,
        "The host or the origin is not allowed, or the admin token is wrong or not configured.");
    meanings.put(408, "Timeout: the request did not arrive completely.");
    meanings.put(413, "The body is longer than 64 KiB.");
    meanings.put(429, "Too many calls with a wrong admin token.");
    meanings.put(431, "The headers are longer than 8 KiB.");
    meanings.put(500, "Internal error; the log contains the details under the given error id.");
    meanings.put(503, "Timeout of the server, or too many open streams or connections.");
    return meanings;
  }

  /** Returns the responses for the components of the document; those of /api are JSON. */
  public static Map<String, Object> all(NamedSchemas schemas) {
    var all = new LinkedHashMap<String, Object>();
    MEANINGS.forEach(
        (status, meaning) -> {
          all.put(name(status, true), response(meaning, true, schemas));
          all.put(name(status, false), response(meaning, false, schemas));
        });
    return all;
  }

  /** Returns references to the shared responses of a route, by status. */
  public static Map<String, Object> of(Route route) {
    boolean api = Route.isApi(route.template());
    var references = new LinkedHashMap<String, Object>();
    for (int status : MEANINGS.keySet()) {
      if (applies(status, route)) {
        references.put(
            Integer.toString(status),
            Map.of("$ref", "#/components/responses/" + name(status, api)));
      }
    }
    return references;
  }

  private static boolean applies(int status, Route route) {
    return switch (status) {
      case 401, 429 -> route.isAdmin();
      case 408, 413 -> route.method().changesState();
      default -> true;
    };
  }

  /** Returns the content of an error response. */
  public static Map<String, Object> problem(boolean api, NamedSchemas schemas) {
    return api
        ? OpenApi.content(Response.JSON, schemas.resolve(Schema.of(Problem.class)))
        : OpenApi.content(Response.TEXT, schemas.resolve(Schema.text()));
  }

  private static Map<String, Object> response(String meaning, boolean api, NamedSchemas schemas) {
    return ordered("description", meaning, "content", problem(api, schemas));
  }

  private static String name(int status, boolean api) {
    return (api ? "Json" : "Text") + status;
  }
}
