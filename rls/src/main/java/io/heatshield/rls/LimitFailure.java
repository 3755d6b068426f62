package io.heatshield.rls;

import io.grpc.Status;
import io.heatshield.limit.InvalidRequestException;
import io.heatshield.limit.counter.BackendUnavailableException;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why a question got no verdict, and what each door says then.
 *
 * @param kind the row of the table
 * @param sentence what the caller is told; holds nothing that the caller sent
 */
public record LimitFailure(Kind kind, String sentence) {
  private static final Logger log = LoggerFactory.getLogger(LimitFailure.class);

  /** The table of failures, with the status of each door. */
  public enum Kind {
    /** The question makes no sense. */
    INVALID(Status.Code.INVALID_ARGUMENT, 400),
    /** Its caller waits no more. */
    TOO_LATE(Status.Code.DEADLINE_EXCEEDED, 504),
    /** Counters cannot be reached, and the policy is to fail then. */
    UNAVAILABLE(Status.Code.UNAVAILABLE, 503),
    /** A mistake of ours; the log has it. */
    INTERNAL(Status.Code.INTERNAL, 500);

    private final Status.Code grpc;
    private final int http;

    Kind(Status.Code grpc, int http) {
      this.grpc = grpc;
      this.http = http;
    }

    /** Returns the status of the gRPC door. */
    public Status.Code grpc() {
      return grpc;
    }

    /** Returns the status of the HTTP door. */
    public int http() {
      return http;
    }
  }

  /** Returns what a failure means; one that nobody expected is written to the log. */
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
    log.error("error while deciding on a limit", cause);
    return new LimitFailure(Kind.INTERNAL, "something went wrong here; the log has it");
  }

  /** Returns the failure as gRPC's status. */
  public Status status() {
    return Status.fromCode(kind.grpc()).withDescription(sentence);
  }
}
