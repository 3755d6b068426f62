package io.heatshield.data.command;

import io.heatshield.resp.Reply;
import io.heatshield.store.engine.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Converts results and failures of a store to replies. */
public final class Replies {
  private static final Logger log = LoggerFactory.getLogger(Replies.class);

  /** The reply of most writes. It is shared, so it must not be completed by others. */
  public static final CompletableFuture<Reply> OK = now(Reply.OK);

  private Replies() {}

  public static CompletableFuture<Reply> now(Reply reply) {
    return CompletableFuture.completedFuture(reply);
  }

  /**
   * Returns the reply that a function makes of a stage's result. If the stage has completed, the
   * function runs now. A failure of the stage or the function becomes an error reply.
   */
  public static <T extends @Nullable Object> CompletableFuture<Reply> map(
      CompletionStage<T> stage, Function<T, Reply> body) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    if (future.isDone() && !future.isCompletedExceptionally()) {
      try {
        return now(body.apply(future.join()));
      } catch (CommandException e) {
        return now(e.reply());
      }
    }
    return future.thenApply(body).exceptionally(Replies::failure);
  }

  /** Combines replies: the first error, or else OK. */
  public static CompletableFuture<Reply> firstError(
      CompletableFuture<Reply> before, CompletableFuture<Reply> next) {
    return before.thenCombine(next, (one, other) -> one.isError() ? one : other);
  }

  /** Returns the error of a throttled write. */
  public static Reply throttled(long waitMillis) {
    return Reply.error("THROTTLED key is hot, retry in " + waitMillis + " ms");
  }

  /** Returns the error of a write that the disk refuses, with the code that Redis uses. */
  static Reply diskRefuses(String why) {
    return Reply.error("MISCONF " + why + "; writes are refused until the disk takes them");
  }

  /** Returns the error reply for a failure: the one table from outcomes to RESP. */
  public static Reply failure(Throwable thrown) {
    Throwable cause = thrown;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof CommandException error) {
      return error.reply();
    }
    if (cause instanceof StoreException store) {
      return switch (store.reason()) {
        case FULL -> Reply.error("OOM command not allowed when used memory > 'maxmemory'.");
        case DISK -> diskRefuses(String.valueOf(store.getMessage()));
        case DAMAGED -> Reply.error("DAMAGED " + store.getMessage());
        case NOT_A_NUMBER -> Reply.error(CommandException.NOT_AN_INTEGER);
        case OVERFLOW -> Reply.error("ERR increment or decrement would overflow");
        case WRONG_TYPE -> Reply.error(CommandException.WRONG_TYPE);
        case UNAVAILABLE, UNREACHED ->
            Reply.error("UNAVAILABLE the store's engine does not answer");
        case CONTENDED -> Reply.error("TRYAGAIN others keep changing these keys");
        case UNSUPPORTED -> Reply.error("ERR this store's engine cannot do that");
        case REFUSED, CLOSED -> Reply.error("ERR the store is closed");
      };
    }
    log.error("command of a RESP client failed with an unexpected error", cause);
    return Reply.error("ERR internal error");
  }
}
