package io.heatshield.store.redis;

import io.heatshield.redis.script.RedisException;
import io.heatshield.redis.script.ReplySink;
import io.heatshield.store.engine.ScanPage;
import io.heatshield.store.engine.ScannedKey;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A pending reply of Redis, and the parsers of replies, which check everything. */
final class RedisReply implements ReplySink {
  private static final long TOO_LARGE = 1;
  private static final long NO_STRING = 2;

  private final CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();

  CompletableFuture<@Nullable Object> answer() {
    return answer;
  }

  @Override
  public void replied(@Nullable Object reply) {
    answer.complete(reply);
  }

  @Override
  public void failed(RedisException e) {
    answer.completeExceptionally(new StoreException(reason(e), String.valueOf(e.getMessage()), e));
  }

  static List<@Nullable Value> values(@Nullable Object reply) {
    if (!(reply instanceof List<?> list)) {
      throw malformed();
    }
    var values = new ArrayList<@Nullable Value>(list.size());
    for (Object held : list) {
      values.add(value(held));
    }
    return values;
  }

  static boolean isOne(@Nullable Object reply) {
    return number(reply) == 1;
  }

  static long number(@Nullable Object reply) {
    if (reply instanceof Long number) {
      return number;
    }
    throw malformed();
  }

  static ScanPage page(@Nullable Object reply) {
    if (!(reply instanceof List<?> list)
        || list.size() % 3 != 1
        || !(list.get(0) instanceof byte[] cursor)) {
      throw malformed();
    }
    var found = new ArrayList<ScannedKey>();
    for (int i = 1; i < list.size(); i += 3) {
      if (!(list.get(i) instanceof byte[] key) || !(list.get(i + 2) instanceof byte[] start)) {
        throw malformed();
      }
      long end = number(list.get(i + 1));
      if (end != -2) {
        found.add(new ScannedKey(key, TypedString.type(start), end == -1 ? Value.NEVER : end));
      }
    }
    return new ScanPage(cursor(cursor), found);
  }

  static Step step(@Nullable Object reply) {
    if (reply instanceof List<?> pair && pair.size() == 2 && pair.get(0) instanceof byte[] cursor) {
      return new Step(cursor(cursor), number(pair.get(1)));
    }
    throw malformed();
  }

  private static long cursor(byte[] text) {
    try {
      return Long.parseUnsignedLong(new String(text, StandardCharsets.US_ASCII));
    } catch (NumberFormatException e) {
      throw malformed();
    }
  }

  private static @Nullable Value value(@Nullable Object held) {
    if (held == null) {
      return null;
    }
    if (held instanceof Long why && why == TOO_LARGE) {
      throw new StoreException(
          StoreException.Reason.UNSUPPORTED,
          "the value has more than " + RedisEngine.MAX_VALUE + " bytes");
    }
    if (held instanceof Long why && why == NO_STRING) {
      throw new StoreException(StoreException.Reason.WRONG_TYPE, "the value is not a string");
    }
    if (held instanceof List<?> pair && pair.size() == 2 && pair.get(0) instanceof byte[] content) {
      long end = number(pair.get(1));
      return TypedString.read(content, end < 0 ? Value.NEVER : end);
    }
    throw malformed();
  }

  private static StoreException.Reason reason(RedisException e) {
    return switch (e.failure()) {
      case OUT_OF_MEMORY, TOO_MANY_PENDING -> StoreException.Reason.FULL;
      case CLOSED -> StoreException.Reason.CLOSED;
      default ->
          e.failure().isAmbiguous()
              ? StoreException.Reason.UNAVAILABLE
              : StoreException.Reason.UNREACHED;
    };
  }

  private static StoreException malformed() {
    return new StoreException(
        StoreException.Reason.UNAVAILABLE, "Redis sent an unexpected reply to the script");
  }

  /** The cursor of the next page of a walk, and the number of keys of this page. */
  record Step(long cursor, long count) {}
}
