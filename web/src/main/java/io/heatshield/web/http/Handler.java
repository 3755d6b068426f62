package io.heatshield.web.http;

import java.util.concurrent.CompletionStage;

/**
 * Handles the requests of one route.
 *
 * <p>A handler runs on an event loop, so it must not block; slow work runs on another thread and
 * completes the stage from there. A {@link BadRequestException}, thrown or as the stage's failure,
 * becomes 400. Any other exception becomes 500 with an error id; its details are only in the log.
 */
@FunctionalInterface
public interface Handler {

  /** Returns the response, or a stage that will complete with it. */
  CompletionStage<Response> handle(Request request);
}
