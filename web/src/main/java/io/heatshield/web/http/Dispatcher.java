package io.heatshield.web.http;

import io.heatshield.key.KeyText;
import io.heatshield.runtime.json.InvalidJsonException;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way from a request to its answer: host, route, method, origin, admin token, handler.
 *
 * <p>It always gives a stage that completes with an answer, never with a failure.
 */
final class Dispatcher {
  private static final Logger log = LoggerFactory.getLogger(Dispatcher.class);

  private final Routes routes;
  private final HostRule hosts;
  private final AdminGate gate;
  private final SecureRandom random = new SecureRandom();

  Dispatcher(Routes routes, HostRule hosts, AdminGate gate) {
    this.routes = routes;
    this.hosts = hosts;
    this.gate = gate;
  }

  CompletionStage<Response> answer(RequestHead head, byte[] body, AdminGate.Delayer delayer) {
    try {
      return route(head, body, delayer)
          .handle((response, failure) -> failure == null ? response : failed(head, failure))
          .thenApply(
              response ->
                  response == null
                      ? failed(head, new IllegalStateException("the handler gave no answer"))
                      : response)
          .thenApply(response -> withOrigin(head, response));
    } catch (RuntimeException e) {
      return failed(head, e).now();
    }
  }

  private CompletionStage<Response> route(
      RequestHead head, byte[] body, AdminGate.Delayer delayer) {
    String host = head.host();
    if (host != null && !hosts.allows(host)) {
      return Response.problem(403, "this server is not called " + KeyText.of(host)).now();
    }
    Routes.Place place = routes.find(head.path());
    if (place == null) {
      return Response.problem(404, "there is nothing at " + KeyText.of(head.path())).now();
    }
    Method method = head.method();
    Route route = place.route(method);
    if (method == null || route == null) {
      return Response.problem(405, "this path answers to " + place.allowed())
          .withHeader("Allow", place.allowed())
          .now();
    }
    if (method.changesState() && !isOwnOrigin(head)) {
      return foreignOrigin().now();
    }
    if (route.isAdmin()) {
      String shown = head.headers().get(HttpHeaderNames.AUTHORIZATION);
      CompletionStage<Response> refusal = gate.refusal(shown, delayer);
      if (refusal != null) {
        return refusal;
      }
    }
    Map<String, byte[]> query = PercentText.query(head.query());
    return route
        .handler()
        .handle(
            new Request(method, head.path(), place.parameters(route), query, head.headers(), body));
  }

  /** A stream can be read across sites where a single answer cannot, so it minds the origin. */
  private static Response withOrigin(RequestHead head, Response response) {
    return response.eventsOpened() != null && !isOwnOrigin(head) ? foreignOrigin() : response;
  }

  private static boolean isOwnOrigin(RequestHead head) {
    return HostRule.isOwn(head.headers().get(HttpHeaderNames.ORIGIN), head.host());
  }

  private static Response foreignOrigin() {
    return Response.problem(403, "a page of another origin must not ask this");
  }

  private Response failed(RequestHead head, Throwable failure) {
    Throwable cause = failure;
    if (failure instanceof CompletionException && failure.getCause() != null) {
      cause = failure.getCause();
    }
    if (cause instanceof BadRequestException || cause instanceof InvalidJsonException) {
      return Response.problem(400, String.valueOf(cause.getMessage()));
    }
    var id = new byte[6];
    random.nextBytes(id);
    String errorId = HexFormat.of().formatHex(id);
    log.error(
        "error {} while answering {} {}", errorId, head.method(), KeyText.of(head.path()), cause);
    return Response.problem(500, "something went wrong here; the log has it as error " + errorId);
  }
}
