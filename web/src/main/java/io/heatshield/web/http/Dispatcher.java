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
 * Checks the host, method, origin and admin token of a request and calls the handler of its route.
 *
 * <p>The returned stage always completes with a response, never with a failure.
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

  CompletionStage<Response> dispatch(RequestHead head, byte[] body, AdminGate.Delayer delayer) {
    try {
      return route(head, body, delayer)
          .handle(
              (response, failure) ->
                  failure == null ? checkStreamOrigin(head, response) : failed(head, failure));
    } catch (RuntimeException e) {
      return failed(head, e).completed();
    }
  }

  private CompletionStage<Response> route(
      RequestHead head, byte[] body, AdminGate.Delayer delayer) {
    String host = head.host();
    if (host != null && !hosts.allows(host)) {
      return Response.problem(403, "this host name is not allowed: " + KeyText.of(host))
          .completed();
    }
    Routes.Match match = routes.find(head.path());
    if (match == null) {
      return Response.problem(404, "not found: " + KeyText.of(head.path())).completed();
    }
    Method method = head.method();
    Route route = match.route(method);
    if (method == null || route == null) {
      return Response.problem(405, "the method must be one of " + match.allowed())
          .withHeader("Allow", match.allowed())
          .completed();
    }
    if (method.changesState() && !isOwnOrigin(head)) {
      return foreignOrigin().completed();
    }
    if (route.isAdmin()) {
      String authorization = head.headers().get(HttpHeaderNames.AUTHORIZATION);
      CompletionStage<Response> refusal = gate.refusal(authorization, delayer);
      if (refusal != null) {
        return refusal;
      }
    }
    Map<String, byte[]> query = PercentDecoder.query(head.query());
    return route
        .handler()
        .handle(new Request(match.parameters(route), query, head.headers(), body));
  }

  /** An event stream can be read across sites, unlike a single response. */
  private static Response checkStreamOrigin(RequestHead head, Response response) {
    return response.eventsOpened() != null && !isOwnOrigin(head) ? foreignOrigin() : response;
  }

  private static boolean isOwnOrigin(RequestHead head) {
    return HostRule.isOwn(head.headers().get(HttpHeaderNames.ORIGIN), head.host());
  }

  private static Response foreignOrigin() {
    return Response.problem(403, "requests from another origin are not allowed");
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
    return Response.problem(500, "internal error; see the log for error " + errorId);
  }
}
