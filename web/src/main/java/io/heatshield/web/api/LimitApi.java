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
 * {@code POST /json}, which asks the rate limits as gRPC does but in JSON, and {@code
 * /api/v1/rlconfig}.
 */
public final class LimitApi {
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String JSON = "application/json";

  private final LimitService limits;

  /** Creates the API of these limits. */
  public LimitApi(LimitService limits) {
    this.limits = limits;
  }

  /** Returns the routes. */
  public List<Route> routes() {
    return List.of(
        Route.of(
                Method.POST,
                "/json",
                "Asks the rate limits: a RateLimitRequest in JSON gives a RateLimitResponse.",
                this::ask)
            .open()
            .producing(JSON)
            .taking(LimitSchemas.request())
            .answering(200, "Within the limits.", LimitSchemas.response())
            .answering(400, "The body is wrong; the answer is a sentence that says how.")
            .answering(429, "Over a limit.", LimitSchemas.response())
            .answering(503, "The counters cannot be reached."),
        Route.get(
                "/api/v1/rlconfig",
                "Shows the rules in effect, one line each.",
                request -> Response.text(200, limits.limiter().rules().dump()).now())
            .producing(TEXT)
            .answering(200, "The rules as text.", Schema.text()));
  }

  private CompletionStage<Response> ask(Request request) {
    try {
      return limits.ask(LimitJson.question(request.body()), from(request)).handle(this::response);
    } catch (InvalidRequestException e) {
      return refusal(e).now();
    }
  }

  private @Nullable TraceContext from(Request request) {
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
        answer.overLimit() ? 429 : 200, LimitJson.answer(answer, limits.headers()));
  }

  private Response refusal(Throwable failure) {
    LimitFailure told = limits.failed(LimitFailure.of(failure));
    return Response.problem(told.kind().http(), told.sentence());
  }
}
