package io.heatshield.server.fleet;

import io.heatshield.fleet.FleetExchange;
import io.heatshield.fleet.FleetExchangeException;
import io.heatshield.fleet.FleetView;
import io.heatshield.redis.Redis;
import io.heatshield.redis.script.RedisException;
import io.heatshield.redis.script.ReplySink;
import io.heatshield.redis.script.Script;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of a fleet in Redis, under keys that begin with {@code heatshield:fleet:NAME:}.
 *
 * <p>Each node's snapshot has its own key, so that a cluster spreads them over its masters. Every
 * key except the secret expires. Every call blocks for the client's time budget at most; then it
 * throws a {@link FleetExchangeException}. Nothing is sent twice. Thread-safe, but must not be
 * called on an event loop.
 */
final class RedisExchange implements FleetExchange {
  private static final Script SECRET = Script.resource(RedisExchange.class, "secret.lua");
  private static final Script PUT = Script.resource(RedisExchange.class, "put.lua");
  private static final Script GET = Script.resource(RedisExchange.class, "get.lua");
  private static final Script DELETE = Script.resource(RedisExchange.class, "delete.lua");
  private static final Script ENROL = Script.resource(RedisExchange.class, "enrol.lua");
  private static final Script ROSTER = Script.resource(RedisExchange.class, "roster.lua");
  private static final Script STRIKE = Script.resource(RedisExchange.class, "strike.lua");
  private static final Script TURN = Script.resource(RedisExchange.class, "turn.lua");

  /** The number of snapshots that are requested together, which bounds the pending replies. */
  private static final int READ_BATCH = 64;

  private static final Duration ROSTER_LIFE = Duration.ofHours(1);
  private static final int CHECKSUM_BYTES = 4;

  private final Redis redis;
  private final String prefix;
  private final LongAdder bytesOut = new LongAdder();
  private final LongAdder bytesIn = new LongAdder();

  RedisExchange(Redis redis, String fleet) {
    this.redis = redis;
    this.prefix = "heatshield:fleet:" + fleet + ":";
  }

  @Override
  public byte[] secret(byte[] proposal) {
    return bytes(await(eval(SECRET, "secret", proposal)));
  }

  @Override
  public Place publish(String node, long sequence, byte[] snapshot, Duration life) {
    bytesOut.add(snapshot.length);
    await(eval(PUT, "node:" + node, snapshot, text(life.toMillis())));
    long enrolled =
        number(
            await(
                eval(
                    ENROL,
                    "nodes",
                    text(node),
                    text(sequence),
                    text(FleetView.MAX_NODES),
                    text(ROSTER_LIFE.toMillis()))));
    return enrolled == 0 ? Place.NONE : enrolled == 1 ? Place.KEPT : Place.NEW;
  }

  @Override
  public void forget(Collection<String> nodes) {
    if (nodes.isEmpty()) {
      return;
    }
    await(eval(STRIKE, "nodes", nodes.stream().map(RedisExchange::text).toArray(byte[][]::new)));
    var deletions = nodes.stream().map(node -> eval(DELETE, "node:" + node)).toList();
    deletions.forEach(RedisExchange::await);
  }

  @Override
  public Map<String, Long> roster() {
    if (!(await(eval(ROSTER, "nodes")) instanceof List<?> pairs) || pairs.size() % 2 != 0) {
      throw malformed();
    }
    if (pairs.size() > 2 * FleetView.MAX_NODES) {
      throw new FleetExchangeException(
          "the roster must have at most " + FleetView.MAX_NODES + " nodes");
    }
    var roster = new HashMap<String, Long>();
    for (int i = 0; i < pairs.size(); i += 2) {
      String node = new String(bytes(pairs.get(i)), StandardCharsets.UTF_8);
      try {
        roster.put(
            node, Long.parseLong(new String(bytes(pairs.get(i + 1)), StandardCharsets.UTF_8)));
      } catch (NumberFormatException e) {
        throw malformed();
      }
    }
    return roster;
  }

  @Override
  public Map<String, byte[]> read(Collection<String> nodes) {
    var read = new HashMap<String, byte[]>();
    var left = new ArrayList<>(nodes);
    for (int from = 0; from < left.size(); from += READ_BATCH) {
      List<String> some = left.subList(from, Math.min(left.size(), from + READ_BATCH));
      var replies = some.stream().map(node -> eval(GET, "node:" + node, new byte[0])).toList();
      for (int i = 0; i < some.size(); i++) {
        Object reply = await(replies.get(i));
        if (reply != null) {
          byte[] snapshot = bytes(reply);
          bytesIn.add(snapshot.length);
          read.put(some.get(i), snapshot);
        }
      }
    }
    return read;
  }

  @Override
  public String turn(String node, Duration life) {
    Object holder = await(eval(TURN, "turn", text(node), text(life.toMillis())));
    return new String(bytes(holder), StandardCharsets.UTF_8);
  }

  @Override
  public void show(byte[] view, Duration life) {
    bytesOut.add(view.length);
    await(eval(PUT, "view", view, text(life.toMillis())));
  }

  @Override
  public byte @Nullable [] view(byte @Nullable [] known) {
    byte[] checksum =
        known == null || known.length < CHECKSUM_BYTES
            ? new byte[0]
            : Arrays.copyOfRange(known, known.length - CHECKSUM_BYTES, known.length);
    Object reply = await(eval(GET, "view", checksum));
    if (reply == null || reply instanceof Long) {
      return reply == null ? null : known;
    }
    byte[] view = bytes(reply);
    bytesIn.add(view.length);
    return view;
  }

  /** Returns the total size of all sent snapshots and views. */
  long bytesOut() {
    return bytesOut.sum();
  }

  /** Returns the total size of all received snapshots and views. */
  long bytesIn() {
    return bytesIn.sum();
  }

  private CompletableFuture<@Nullable Object> eval(Script script, String key, byte[]... arguments) {
    var answer = new CompletableFuture<@Nullable Object>();
    redis.eval(
        script,
        text(prefix + key),
        arguments,
        new ReplySink() {
          @Override
          public void replied(@Nullable Object reply) {
            answer.complete(reply);
          }

          @Override
          public void failed(RedisException reason) {
            answer.completeExceptionally(reason);
          }
        });
    return answer;
  }

  private static @Nullable Object await(CompletableFuture<@Nullable Object> answer) {
    try {
      return answer.join();
    } catch (CompletionException e) {
      Throwable cause = e.getCause();
      throw new FleetExchangeException(
          cause instanceof RedisException ? String.valueOf(cause.getMessage()) : "no reply");
    }
  }

  private static byte[] bytes(@Nullable Object reply) {
    if (reply instanceof byte[] bytes) {
      return bytes;
    }
    throw malformed();
  }

  private static long number(@Nullable Object reply) {
    if (reply instanceof Long number) {
      return number;
    }
    throw malformed();
  }

  private static FleetExchangeException malformed() {
    return new FleetExchangeException("Redis sent an unexpected reply to the script");
  }

  private static byte[] text(Object value) {
    return String.valueOf(value).getBytes(StandardCharsets.UTF_8);
  }
}
