package io.heatshield.web.api;

import io.heatshield.limit.InvalidRequestException;
import io.heatshield.limit.LimitAnswer;
import io.heatshield.rls.LimitFailure;
import io.heatshield.rls.LimitService;
import io.heatshield.runtime.telemetry.TraceContext;
import io.heatshield.web.http.Method;
import io.heatshield.web.http.Request;
import io.heatshield.web.http.Response;
import io.heatshield.web.http.Route;
import io.heatshield.web.openapi.Schema;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /json}, the rate-limit call of gRPC in JSON, and {@code /api/v1/rlconfig}, the rules.
 */
public final class LimitApi {
  private final LimitService limits;

  /** Creates the API of these limits. */
  public LimitApi(LimitService limits) {
    this.limits = limits;
  }

  /** Returns the routes. */
  public List<Route> routes() {
    return List.of(
        Route.async(
                Method.POST,
                "/json",
                "Checks rate limits: takes a RateLimitRequest and returns a RateLimitResponse in JSON.",
                this::check)
            .open()
            .producing(Response.JSON)
            .taking(LimitSchemas.request())
            .answering(200, "Within the limits.", LimitSchemas.response())
            .answering(400, "The body is invalid; the text says why.")
            .answering(429, "Over a limit.", LimitSchemas.response())
            .answering(503, "The counters are unavailable."),
        Route.get(
                "/api/v1/rlconfig",
                "Returns the effective rules, one line each.",
                request -> Response.text(200, limits.limiter().rules().dump()))
            .producing(Response.TEXT)
            .answering(200, "The rules as text.", Schema.text()));
  }

  private CompletionStage<Response> check(Request request) {
    try {
      return limits
          .ask(LimitJson.request(request.body()), traceContext(request))
          .handle(this::response);
    } catch (InvalidRequestException e) {
      return refusal(e).completed();
    }
  }

  private @Nullable TraceContext traceContext(Request request) {
    return limits.isTraced()
        ? new TraceContext(
            "http", request.header(TraceContext.PARENT), request.header(TraceContext.STATE))
        : null;
  }

  private Response response(@Nullable LimitAnswer answer, @Nullable Throwable failure) {
    if (answer == null) {
      return refusal(failure == null ? new IllegalStateException("no answer") : failure);
    }
    return Response.json(
        answer.overLimit() ? 429 : 200, LimitJson.response(answer, limits.headers()));
  }

  private Response refusal(Throwable failure) {
    LimitFailure counted = limits.failed(LimitFailure.of(failure));
    return Response.problem(counted.kind().http(), counted.sentence());
  }
}
