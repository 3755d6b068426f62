package io.heatshield.store.redis;

import io.heatshield.redis.Invalidations;
import io.heatshield.redis.Redis;
import io.heatshield.redis.script.Script;
import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.ChangeReports;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.ScanPage;
import io.heatshield.store.engine.ScannedKey;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An engine that stores values as strings of a Redis 7 or newer, which others may read and write.
 *
 * <p>Every call is one script, which completes within the client's time budget and is never sent
 * twice. A batch is made only if the values that it expects are unchanged. Values have at most
 * {@value #MAX_VALUE} bytes; values of another type than {@link Value#STRING} begin with their
 * type. In a cluster the keys of a batch must share a slot, changes by others are not reported, and
 * there is no filter, because a scan misses keys whose slot moves meanwhile.
 */
public final class RedisEngine implements Engine, ChangeReports {
  static final int MAX_VALUE = 4 << 20;
  private static final Script GET = script("get.lua");
  private static final Script APPLY = script("apply.lua");
  private static final byte[] NO_KEY = {};
  private static final byte[] ZERO = {'0'};
  private static final byte[] ONE = {'1'};
  private static final int SCAN_COUNT = 500;

  private final Redis redis;
  private final KeyPrefix prefix;
  private final KeyScan scan;
  private Consumer<byte @Nullable []> listener = key -> {};
  private final @Nullable Invalidations invalidations;

  /**
   * Creates the engine over a client, which it closes.
   *
   * @param tracked whether changes by others are reported, on one more connection
   * @param prefix the prefix of the keys in Redis; empty if the store uses all of them
   */
  public RedisEngine(Redis redis, boolean tracked, String prefix) {
    this.redis = redis;
    this.prefix = new KeyPrefix(prefix);
    this.scan = new KeyScan(redis, this.prefix);
    redis.onMasterSwitch(() -> changed(null));
    this.invalidations =
        tracked && !redis.isCluster()
            ? redis.invalidations(this.prefix.bytes(), this::changed)
            : null;
  }

  @Override
  public Location location() {
    return Location.REMOTE;
  }

  @Override
  public boolean removesExpired() {
    return true;
  }

  @Override
  public CompletionStage<@Nullable Value> get(byte[] key) {
    return getAll(List.of(key)).thenApply(values -> values.get(0));
  }

  /** In a cluster, key by key. */
  @Override
  public CompletionStage<List<@Nullable Value>> getAll(List<byte[]> keys) {
    if (keys.isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    if (redis.isCluster() && keys.size() > 1) {
      List<CompletableFuture<@Nullable Value>> each =
          keys.stream().map(key -> get(key).toCompletableFuture()).toList();
      return CompletableFuture.allOf(each.toArray(new CompletableFuture<?>[0]))
          .thenApply(
              none -> {
                var values = new ArrayList<@Nullable Value>();
                each.forEach(value -> values.add(value.join()));
                return values;
              });
    }
    var arguments = new byte[keys.size() + 1][];
    arguments[0] = text(MAX_VALUE);
    for (int i = 0; i < keys.size(); i++) {
      arguments[i + 1] = prefix.name(keys.get(i));
    }
    return ask(GET, arguments[1], arguments).thenApply(RedisReply::values);
  }

  @Override
  public CompletionStage<Boolean> apply(Batch batch) {
    var arguments = new ArrayList<byte[]>();
    byte[] first = prefix.name(batch.changes().get(0).key());
    arguments.add(text(batch.expected().size()));
    for (Batch.Expected expected : batch.expected()) {
      add(arguments, first, prefix.name(expected.key()), expected.value());
    }
    for (Batch.Change change : batch.changes()) {
      add(arguments, first, prefix.name(change.key()), change.after());
    }
    return ask(APPLY, first, arguments.toArray(new byte[0][])).thenApply(RedisReply::isOne);
  }

  @Override
  public CompletionStage<ScanPage> scan(long cursor, int count) {
    return scan.page(cursor, count);
  }

  @Override
  public void forEachKey(Predicate<byte[]> sink) {
    if (redis.isCluster()) {
      throw unsupported("in a cluster a scan misses keys whose slot moves meanwhile");
    }
    long cursor = 0;
    do {
      ScanPage page = scan(cursor, SCAN_COUNT).toCompletableFuture().join();
      for (ScannedKey found : page.keys()) {
        if (!sink.test(found.key())) {
          return;
        }
      }
      cursor = page.cursor();
    } while (cursor != 0);
  }

  @Override
  public CompletionStage<Long> size() {
    return scan.size();
  }

  @Override
  public CompletionStage<Void> clear() {
    return scan.clear();
  }

  @Override
  public synchronized void onForeignChange(Consumer<byte @Nullable []> next) {
    listener = next;
  }

  @Override
  public boolean reportsForeignChanges() {
    return invalidations != null && invalidations.isUp();
  }

  @Override
  public void close() {
    if (invalidations != null) {
      invalidations.close();
    }
    redis.close();
  }

  private synchronized void changed(byte @Nullable [] name) {
    byte[] key = name == null ? null : prefix.key(name);
    if (name == null || key != null) {
      listener.accept(key);
    }
  }

  /** Adds one key with its expected or new value. */
  private void add(List<byte[]> arguments, byte[] first, byte[] key, @Nullable Value value) {
    if (!redis.shareServer(first, key)) {
      throw unsupported("a cluster changes keys in one step only if they share a slot");
    }
    arguments.add(key);
    if (value == null) {
      arguments.addAll(List.of(ZERO, NO_KEY, NO_KEY));
      return;
    }
    byte[] form = TypedString.of(value);
    if (form.length > MAX_VALUE) {
      throw unsupported("the engine accepts values of at most " + MAX_VALUE + " bytes");
    }
    arguments.add(ONE);
    arguments.add(form);
    arguments.add(text(value.expires() ? value.expiresAt() : -1));
  }

  private CompletionStage<@Nullable Object> ask(Script script, byte[] key, byte[][] arguments) {
    var reply = new RedisReply();
    redis.eval(script, key, arguments, reply);
    return reply.answer();
  }

  private static StoreException unsupported(String why) {
    return new StoreException(StoreException.Reason.UNSUPPORTED, why);
  }

  private static byte[] text(long number) {
    return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
  }

  private static Script script(String file) {
    return Script.resource(RedisEngine.class, file);
  }
}
