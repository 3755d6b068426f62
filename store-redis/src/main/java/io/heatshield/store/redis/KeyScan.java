package io.heatshield.store.redis;

import io.heatshield.redis.Redis;
import io.heatshield.redis.script.Script;
import io.heatshield.store.engine.ScanPage;
import io.heatshield.store.engine.ScannedKey;
import io.heatshield.store.engine.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Scans all keys of a store, one page after another and one server after another.
 *
 * <p>In a cluster a key whose slot moves meanwhile may be returned twice or not at all.
 */
final class KeyScan {
  /*
   * The cursor of a cluster has the server's cursor in the upper 54 bits and the number of the
   * server in the lower 10.
   */
  private static final int SERVER_BITS = 10;
  private static final Script SCAN = Script.resource(KeyScan.class, "scan.lua");
  private static final Script SIZE = Script.resource(KeyScan.class, "size.lua");
  private static final Script CLEAR = Script.resource(KeyScan.class, "clear.lua");

  private final Redis redis;
  private final KeyPrefix prefix;

  KeyScan(Redis redis, KeyPrefix prefix) {
    this.redis = redis;
    this.prefix = prefix;
  }

  CompletionStage<ScanPage> page(long cursor, int count) {
    int server = redis.isCluster() ? (int) (cursor & ((1 << SERVER_BITS) - 1)) : 0;
    long from = redis.isCluster() ? cursor >>> SERVER_BITS : cursor;
    return ask(SCAN, server, from, count)
        .thenApply(RedisReply::page)
        .thenApply(page -> new ScanPage(next(server, page.cursor()), keys(page)));
  }

  /** Counts the keys; keys that are added or deleted meanwhile may be counted or not. */
  CompletionStage<Long> size() {
    return all(SIZE);
  }

  /** Deletes all keys; not atomically, unless the store uses a whole server. */
  CompletionStage<Void> clear() {
    return all(CLEAR).thenAccept(count -> {});
  }

  private CompletionStage<Long> all(Script script) {
    var sum = new CompletableFuture<Long>();
    step(script, 0, 0, 0, sum);
    return sum;
  }

  private void step(
      Script script, int server, long cursor, long before, CompletableFuture<Long> sum) {
    ask(script, server, cursor, 1000)
        .thenApply(RedisReply::step)
        .whenComplete(
            (step, failure) -> {
              if (failure != null) {
                sum.completeExceptionally(failure);
              } else if (step.cursor() != 0) {
                step(script, server, step.cursor(), before + step.count(), sum);
              } else if (server + 1 < redis.serverKeys().size()) {
                step(script, server + 1, 0, before + step.count(), sum);
              } else {
                sum.complete(before + step.count());
              }
            });
  }

  private CompletionStage<@Nullable Object> ask(Script script, int server, long from, int count) {
    List<byte[]> servers = redis.serverKeys();
    if (server >= servers.size()) {
      return CompletableFuture.failedFuture(
          new StoreException(
              StoreException.Reason.UNREACHED, "the servers of the cluster are not known"));
    }
    byte[] cursor = Long.toUnsignedString(from).getBytes(StandardCharsets.US_ASCII);
    byte[] about = Integer.toString(count).getBytes(StandardCharsets.US_ASCII);
    var reply = new RedisReply();
    redis.eval(script, servers.get(server), new byte[][] {cursor, about, prefix.pattern()}, reply);
    return reply.answer();
  }

  private long next(int server, long cursor) {
    if (!redis.isCluster()) {
      return cursor;
    }
    if (cursor == 0) {
      return server + 1 < redis.serverKeys().size() ? server + 1 : 0;
    }
    if (cursor >>> (Long.SIZE - SERVER_BITS) != 0) {
      throw new StoreException(
          StoreException.Reason.UNSUPPORTED, "a server of the cluster has too many keys to scan");
    }
    return (cursor << SERVER_BITS) | server;
  }

  private List<ScannedKey> keys(ScanPage page) {
    var found = new ArrayList<ScannedKey>(page.keys().size());
    for (ScannedKey each : page.keys()) {
      byte[] key = prefix.key(each.key());
      if (key != null) {
        found.add(new ScannedKey(key, each.type(), each.expiresAt()));
      }
    }
    return found;
  }
}
