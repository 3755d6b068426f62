package io.heatshield.web.http;

import java.util.concurrent.CompletionStage;

/**
 * What answers the requests of one route.
 *
 * <p>It runs on an event loop and so must not block; what takes long goes to another thread and
 * completes the stage from there. {@link BadRequestException}, thrown or as the stage's failure,
 * becomes 400; any other exception 500 with an error id, its details only in the log.
 */
@FunctionalInterface
public interface Handler {

  /** Returns the answer, or the promise of one. */
  CompletionStage<Response> handle(Request request);
}
