package io.heatshield.data.command;

import io.heatshield.resp.Reply;
import io.heatshield.store.WriteResult;
import io.heatshield.store.engine.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes replies of what a store answers, at once where it has answered already. */
public final class Stages {
  private static final Logger log = LoggerFactory.getLogger(Stages.class);

  /** The answer of most writes; many share it, so nobody may complete it. */
  public static final CompletableFuture<Reply> OK = now(Reply.OK);

  private Stages() {}

  public static CompletableFuture<Reply> now(Reply reply) {
    return CompletableFuture.completedFuture(reply);
  }

  /** Returns the reply to what a stage will give; a stage or function that fails is an error. */
  public static <T extends @Nullable Object> CompletableFuture<Reply> map(
      CompletionStage<T> stage, Function<T, Reply> body) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    if (future.isDone() && !future.isCompletedExceptionally()) {
      try {
        return now(body.apply(future.join()));
      } catch (Refused e) {
        return now(e.reply());
      }
    }
    return future.thenApply(body).exceptionally(Stages::failure);
  }

  /** Returns the reply of a write, or the refusal of a clamped one. */
  public static Reply reply(WriteResult<?> written, Reply done) {
    return written.isThrottled() ? throttled(written) : done;
  }

  public static Reply throttled(WriteResult<?> written) {
    return throttled(written.retryAfterMillis());
  }

  public static Reply throttled(long waitMillis) {
    return Reply.error("THROTTLED key is hot, retry in " + waitMillis + " ms");
  }

  /** Returns the error of a write that the disk refuses, with the code that Redis uses for it. */
  static Reply diskRefuses(String why) {
    return Reply.error("MISCONF " + why + "; writes are refused until the disk takes them");
  }

  /** Returns the error that a failure is answered with: the one table from outcomes to RESP. */
  public static Reply failure(Throwable thrown) {
    Throwable cause = thrown;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof Refused refused) {
      return refused.reply();
    }
    if (cause instanceof StoreException store) {
      return switch (store.reason()) {
        case FULL -> Reply.error("OOM command not allowed when used memory > 'maxmemory'.");
        case DISK -> diskRefuses(String.valueOf(store.getMessage()));
        case DAMAGED -> Reply.error("DAMAGED " + store.getMessage());
        case NOT_A_NUMBER -> Reply.error(Refused.NOT_AN_INTEGER);
        case OVERFLOW -> Reply.error("ERR increment or decrement would overflow");
        case WRONG_TYPE -> Reply.error(Refused.WRONG_TYPE);
        case UNAVAILABLE, UNREACHED ->
            Reply.error("UNAVAILABLE the store's engine does not answer");
        case CONTENDED -> Reply.error("TRYAGAIN others keep changing these keys");
        case UNSUPPORTED -> Reply.error("ERR this store's engine cannot do that");
        case REFUSED, CLOSED -> Reply.error("ERR the store is closed");
      };
    }
    log.error("a command failed", cause);
    return Reply.error("ERR internal error");
  }
}
