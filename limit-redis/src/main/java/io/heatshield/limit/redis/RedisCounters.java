package io.heatshield.limit.redis;

import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterSink;
import io.heatshield.redis.Redis;
import io.heatshield.redis.script.CountSink;
import io.heatshield.redis.script.RedisException;
import io.heatshield.redis.script.Script;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongUnaryOperator;

/**
 * Counters in Redis, shared by all processes with the same rules.
 *
 * <p>One script increments a counter and sets its expiry, so no counter outlives its window by more
 * than the jitter, whatever fails in between. Counts are exact up to 2<sup>53</sup>.
 *
 * <p>Any thread may call it; no method blocks. Hits may be those of several callers, as when calls
 * are coalesced.
 */
public final class RedisCounters implements CounterBackend {
  /*
   * The name of a counter in Redis, a stored format, see ADR 24:
   *
   *   the operator's prefix, "hs{}", the number of the window in decimal or nothing if the
   *   algorithm has none, ':', the key
   *
   * The empty braces make a cluster hash the whole name: braces in a descriptor, which callers
   * choose, cannot collect counters on one server.
   */
  private static final String PREFIX = "hs{}";
  private static final Script FIXED = Script.resource(RedisCounters.class, "fixed_window.lua");
  private static final Script SLIDING = Script.resource(RedisCounters.class, "sliding_window.lua");
  private static final Script GCRA = Script.resource(RedisCounters.class, "gcra.lua");
  private static final int MAX_PREFIX = 1024;
  private static final int PARTS = 60;
  private static final byte[] ONE = {'1'};
  private static final byte[] NO_WINDOW = {};

  private final Redis redis;
  private final Redis perSecond;
  private final byte[] prefix;
  private final long jitterMillis;
  private final LongUnaryOperator random;

  /**
   * Creates counters in one Redis.
   *
   * @param jitter the longest random time, drawn for each call, that a counter is kept after its
   *     window, so that counters do not all expire together; zero for none
   */
  public RedisCounters(Redis redis, Duration jitter) {
    this(redis, redis, jitter, "");
  }

  /**
   * Creates counters in two Redis, whose names begin with a prefix.
   *
   * @param perSecond holds the counters of limits per second
   * @param prefix at most 1024 characters; one with braces chooses the server in a cluster
   */
  public RedisCounters(Redis redis, Redis perSecond, Duration jitter, String prefix) {
    this(redis, perSecond, jitter, prefix, bound -> ThreadLocalRandom.current().nextLong(bound));
  }

  RedisCounters(
      Redis redis, Redis perSecond, Duration jitter, String prefix, LongUnaryOperator random) {
    if (jitter.isNegative() || jitter.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException("jitter must be 0 to 24 h: " + jitter);
    }
    if (prefix.length() > MAX_PREFIX) {
      throw new IllegalArgumentException(
          "prefix must be at most " + MAX_PREFIX + " characters: " + prefix.length());
    }
    this.redis = redis;
    this.perSecond = perSecond;
    this.prefix = (prefix + PREFIX).getBytes(StandardCharsets.UTF_8);
    this.jitterMillis = jitter.toMillis();
    this.random = random;
  }

  @Override
  public void add(
      CounterKey key, Limit limit, long hits, long clockMillis, CounterSink sink, int slot) {
    addLate(key, limit, hits, clockMillis, 0, sink, slot);
  }

  @Override
  public void addLate(
      CounterKey key,
      Limit limit,
      long hits,
      long clockMillis,
      long lateNanos,
      CounterSink sink,
      int slot) {
    LimitUnit unit = limit.unit();
    Redis to = unit == LimitUnit.SECOND ? perSecond : redis;
    byte[] most = ascii(limit.requestsPerUnit());
    var reply = new ReplyAdapter(sink, slot);
    switch (limit.algorithm()) {
      case FIXED_WINDOW -> {
        byte[][] arguments = {ascii(hits), ascii(unit.millis() + jitter())};
        byte[] name = name(prefix, key, ascii(unit.window(clockMillis)));
        to.evalLate(FIXED, name, arguments, lateNanos, reply);
      }
      case SLIDING_WINDOW -> {
        long part = Math.floorDiv(clockMillis * PARTS, unit.millis());
        byte[][] arguments = {ascii(hits), ascii(unit.millis()), most, ascii(part)};
        to.evalLate(SLIDING, name(prefix, key, NO_WINDOW), arguments, lateNanos, reply);
      }
      case GCRA -> {
        byte[] span = ascii(unit.millis());
        byte[][] arguments = {ascii(hits), span, most, ascii(clockMillis), span};
        to.evalLate(GCRA, name(prefix, key, NO_WINDOW), arguments, lateNanos, reply);
      }
    }
  }

  /** Returns the name in Redis of a counter for one window, without a prefix. */
  static byte[] name(CounterKey key, long window) {
    return name(ascii(PREFIX), key, ascii(window));
  }

  /** For fixed windows only: they end for all counters together, those of others do not. */
  private long jitter() {
    return jitterMillis == 0 ? 0 : random.applyAsLong(jitterMillis);
  }

  private static byte[] name(byte[] prefix, CounterKey key, byte[] window) {
    byte[] bytes = key.toByteArray();
    return ByteBuffer.allocate(prefix.length + window.length + 1 + bytes.length)
        .put(prefix)
        .put(window)
        .put((byte) ':')
        .put(bytes)
        .array();
  }

  private static byte[] ascii(long number) {
    return number == 1 ? ONE : ascii(Long.toString(number));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Forwards the reply of Redis to a sink. */
  private record ReplyAdapter(CounterSink sink, int slot) implements CountSink {
    @Override
    public void counted(long count) {
      sink.counted(slot, count);
    }

    @Override
    public void failed(RedisException reason) {
      sink.failed(
          slot, new BackendUnavailableException(String.valueOf(reason.getMessage()), reason));
    }
  }
}
