package io.heatshield.rls;

import io.grpc.Status;
import io.heatshield.limit.InvalidRequestException;
import io.heatshield.limit.counter.BackendUnavailableException;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The failure of a request, with its status in each protocol.
 *
 * @param sentence the message for the caller; contains nothing that the caller sent
 */
public record LimitFailure(Kind kind, String sentence) {
  private static final Logger log = LoggerFactory.getLogger(LimitFailure.class);

  /** The kinds of failures, with the status in each protocol. */
  public enum Kind {
    /** The request is invalid. */
    INVALID(Status.Code.INVALID_ARGUMENT, 400),
    /** The deadline of the caller has passed. */
    TOO_LATE(Status.Code.DEADLINE_EXCEEDED, 504),
    /** The counters cannot be reached. */
    UNAVAILABLE(Status.Code.UNAVAILABLE, 503),
    /** A bug, which is logged. */
    INTERNAL(Status.Code.INTERNAL, 500);

    private final Status.Code grpc;
    private final int http;

    Kind(Status.Code grpc, int http) {
      this.grpc = grpc;
      this.http = http;
    }

    /** Returns the gRPC status. */
    public Status.Code grpc() {
      return grpc;
    }

    /** Returns the HTTP status. */
    public int http() {
      return http;
    }
  }

  /** Returns the failure for an exception; logs an unexpected one. */
  public static LimitFailure of(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof InvalidRequestException invalid) {
      return new LimitFailure(Kind.INVALID, invalid.field() + ": " + invalid.sentence());
    }
    if (cause instanceof BackendUnavailableException) {
      return new LimitFailure(Kind.UNAVAILABLE, String.valueOf(cause.getMessage()));
    }
    log.error("rate-limit call failed with an unexpected error", cause);
    return new LimitFailure(Kind.INTERNAL, "internal error; see the log of the server");
  }

  /** Returns the gRPC status with its message. */
  public Status status() {
    return Status.fromCode(kind.grpc()).withDescription(sentence);
  }
}
