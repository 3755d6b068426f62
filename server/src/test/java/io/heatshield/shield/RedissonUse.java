package io.heatshield.shield;

import io.heatshield.server.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.redisson.api.BatchOptions;
import org.redisson.api.RBatch;
import org.redisson.api.RBlockingQueue;
import org.redisson.api.RBucket;
import org.redisson.api.RLock;
import org.redisson.api.RMap;
import org.redisson.api.RMapCache;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RScoredSortedSet;
import org.redisson.api.RScript;
import org.redisson.api.RSemaphore;
import org.redisson.api.RStream;
import org.redisson.api.RTransaction;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.api.TransactionOptions;
import org.redisson.api.stream.StreamAddArgs;
import org.redisson.api.stream.StreamCreateGroupArgs;
import org.redisson.api.stream.StreamMessageId;
import org.redisson.api.stream.StreamReadGroupArgs;
import org.redisson.client.codec.StringCodec;

/** A protocol of one use of every Redisson feature. */
// A batch answers for its futures; that locks are given back is what is tried here.
@SuppressWarnings({"FutureReturnValueIgnored", "LockNotBeforeTry"})
final class RedissonUse {
  private final RedissonClient client;
  private final List<String> notes = new ArrayList<>();

  RedissonUse(RedissonClient client) {
    this.client = client;
  }

  List<String> all() throws Exception {
    values();
    collections();
    locks();
    queues();
    topics();
    streams();
    transactions();
    scripts();
    keys();
    return notes;
  }

  private void values() {
    RBucket<String> bucket = client.getBucket("bucket");
    bucket.set("one");
    for (int i = 0; i < 20; i++) {
      note("bucket", bucket.get());
    }
    note("same", bucket.compareAndSet("one", "two"));
    note("not the same", bucket.compareAndSet("one", "three"));
    note("before", bucket.getAndSet("four"));
    note("now", bucket.get());
    note("absent", bucket.setIfAbsent("five"));
    bucket.expire(Duration.ofHours(1));
    note("lives", bucket.remainTimeToLive() > 3_000_000);
    note("taken", bucket.getAndDelete());
    note("gone", bucket.get());
    client.getBuckets().set(Map.of("{b}1", "x", "{b}2", "y"));
    note("many", new TreeMap<>(client.getBuckets().get("{b}1", "{b}2", "{b}3")));
    note("long", client.getAtomicLong("long").addAndGet(5));
    note("long", client.getAtomicLong("long").incrementAndGet());
    note("double", client.getAtomicDouble("double").addAndGet(2.5));
    note("bits", client.getBitSet("bits").set(7, true) + "," + client.getBitSet("bits").get(7));
    client.getHyperLogLog("log").addAll(List.of("a", "b", "c"));
    note("log", client.getHyperLogLog("log").count());
    note("bloom", client.getBloomFilter("bloom").tryInit(1000, 0.01));
    note("bloom", client.getBloomFilter("bloom").add("a"));
    note("bloom", client.getBloomFilter("bloom").contains("a"));
  }

  private void collections() {
    RMap<String, String> map = client.getMap("map");
    note("map", map.put("a", "1"));
    note("map", map.put("a", "2"));
    note("map", map.putIfAbsent("b", "3"));
    note("map", map.replace("b", "3", "4"));
    note("map", map.addAndGet("n", 3));
    note("map", new TreeMap<>(map.readAllMap()));
    note("map", new TreeMap<>(map.getAll(new TreeSet<>(List.of("a", "n", "no")))));
    RMapCache<String, String> cache = client.getMapCache("cache");
    note("cache", cache.put("k", "v", 1, TimeUnit.HOURS));
    note("cache", cache.get("k"));
    note("cache", cache.fastRemove("k"));
    note("list", client.getList("list").addAll(List.of("a", "b", "c")));
    client.getList("list").add(1, "z");
    note("list", client.getList("list").readAll());
    note("set", client.getSet("set").addAll(List.of("a", "b")));
    note("set", new TreeSet<Object>(client.getSet("set").readAll()));
    RScoredSortedSet<String> scores = client.getScoredSortedSet("scores");
    note("scores", scores.add(2, "b") + "," + scores.add(1, "a"));
    note("scores", scores.addScore("a", 5));
    note("scores", scores.valueRange(0, -1));
    note("scores", scores.rank("b"));
    note("geo", client.getGeo("geo").add(13.361389, 38.115556, "Palermo"));
    note("multimap", client.getSetMultimap("multi").put("k", "v"));
  }

  private void locks() throws Exception {
    RLock lock = client.getLock("lock");
    lock.lock();
    note("held", lock.isHeldByCurrentThread());
    lock.lock();
    note("twice", lock.getHoldCount());
    lock.unlock();
    note("refused", elsewhere(() -> lock.tryLock()));
    CompletableFuture<String> waiter = begun(() -> lock.tryLock(20, TimeUnit.SECONDS));
    lock.unlock();
    note("then", waiter.get(30, TimeUnit.SECONDS));
    lock.forceUnlock();
    RLock fair = client.getFairLock("fair");
    note("fair", fair.tryLock(1, 10, TimeUnit.SECONDS));
    fair.unlock();
    note("read", client.getReadWriteLock("rw").readLock().tryLock());
    note("write", elsewhere(() -> client.getReadWriteLock("rw").writeLock().tryLock()));
    client.getReadWriteLock("rw").readLock().unlock();
    RSemaphore semaphore = client.getSemaphore("semaphore");
    note("permits", semaphore.trySetPermits(2));
    note("permits", semaphore.tryAcquire(2) + "," + semaphore.tryAcquire());
    CompletableFuture<String> permit = begun(() -> semaphore.tryAcquire(Duration.ofSeconds(20)));
    semaphore.release();
    note("permit", permit.get(30, TimeUnit.SECONDS));
    note("latch", client.getCountDownLatch("latch").trySetCount(1));
    CompletableFuture<String> open =
        begun(() -> client.getCountDownLatch("latch").await(20, TimeUnit.SECONDS));
    client.getCountDownLatch("latch").countDown();
    note("latch", open.get(30, TimeUnit.SECONDS));
    RRateLimiter limiter = client.getRateLimiter("limiter");
    note("rate", limiter.trySetRate(RateType.OVERALL, 2, Duration.ofHours(1)));
    note("rate", limiter.tryAcquire() + "," + limiter.tryAcquire() + "," + limiter.tryAcquire());
  }

  private void queues() throws Exception {
    RBlockingQueue<String> queue = client.getBlockingQueue("queue");
    CompletableFuture<String> taken = begun(() -> queue.poll(20, TimeUnit.SECONDS));
    note("offered", queue.offer("job"));
    note("taken", taken.get(30, TimeUnit.SECONDS));
    note("deque", client.getDeque("deque").offerFirst("a"));
    note("deque", client.getDeque("deque").pollLast());
    note("moved", client.getQueue("{q}1").offer("x"));
    note("moved", client.getQueue("{q}1").pollLastAndOfferFirstTo("{q}2"));
    note("priority", client.getScoredSortedSet("{p}").add(1, "x"));
    note("popped", client.getScoredSortedSet("{p}").pollFirst());
  }

  private void topics() throws Exception {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    int listener =
        client
            .getTopic("news")
            .addListener(String.class, (channel, message) -> heard.add(channel + " " + message));
    client
        .getPatternTopic("ne*")
        .addListener(String.class, (pattern, channel, message) -> heard.add(pattern + message));
    client.getTopic("news").publish("hello");
    note("heard", new TreeSet<>(Arrays.asList(next(heard), next(heard))));
    client.getTopic("news").removeListener(listener);
    client.getTopic("news").publish("again");
    note("heard", next(heard));
  }

  private void streams() {
    RStream<String, String> stream = client.getStream("stream");
    stream.add(new StreamMessageId(1, 1), StreamAddArgs.entry("f", "v"));
    stream.createGroup(StreamCreateGroupArgs.name("group").id(StreamMessageId.ALL));
    note("group", stream.readGroup("group", "me", StreamReadGroupArgs.neverDelivered()));
    note("pending", stream.getPendingInfo("group").getTotal());
    note("acknowledged", stream.ack("group", new StreamMessageId(1, 1)));
    note("size", stream.size());
  }

  private void transactions() {
    RBatch batch =
        client.createBatch(
            BatchOptions.defaults().executionMode(BatchOptions.ExecutionMode.IN_MEMORY_ATOMIC));
    batch.getBucket("{t}a").setAsync("1");
    batch.getAtomicLong("{t}n").incrementAndGetAsync();
    batch.getBucket("{t}a").getAsync();
    note("batch", batch.execute().getResponses());
    RBatch plain = client.createBatch();
    for (int i = 0; i < 50; i++) {
      plain.getAtomicLong("n" + (i % 5)).incrementAndGetAsync();
    }
    note("plain", plain.execute().getResponses());
    RTransaction transaction = client.createTransaction(TransactionOptions.defaults());
    transaction.getBucket("{t}x").set("in");
    note("inside", transaction.getBucket("{t}x").get());
    note("outside", client.getBucket("{t}x").get());
    transaction.commit();
    note("after", client.getBucket("{t}x").get());
    // A commit returns before Redisson has removed what it unlocked with.
    TestServer.await(
        () -> {
          var names = new TreeSet<String>();
          client.getKeys().getKeys().forEach(names::add);
          return names.stream().noneMatch(name -> name.startsWith("redisson_unlock_latch:"));
        });
  }

  private void scripts() {
    RScript script = client.getScript(StringCodec.INSTANCE);
    note(
        "eval",
        script.eval(
            "s",
            RScript.Mode.READ_WRITE,
            "return redis.call('INCRBY', KEYS[1], ARGV[1])",
            RScript.ReturnType.LONG,
            List.of("s"),
            "3"));
    String sha = script.scriptLoad("return redis.call('GET', KEYS[1])");
    note("sha", sha);
    for (String key : List.of("s", "bucket", "{t}a")) {
      note(
          "evalsha",
          script.evalSha(
              key, RScript.Mode.READ_ONLY, sha, RScript.ReturnType.VALUE, List.<Object>of(key)));
    }
  }

  private void keys() {
    note("count", client.getKeys().count());
    var names = new TreeSet<String>();
    client.getKeys().getKeys().forEach(names::add);
    note("keys", names);
    note("deleted", client.getKeys().delete("bucket", "map", "list", "nosuch"));
    note("pattern", client.getKeys().deleteByPattern("n?"));
    client.getKeys().flushall();
    note("left", client.getKeys().count());
  }

  private void note(String what, @Nullable Object value) {
    notes.add(what + ": " + value);
  }

  private static String next(BlockingQueue<String> heard) throws InterruptedException {
    return String.valueOf(heard.poll(20, TimeUnit.SECONDS));
  }

  private static String elsewhere(Step step) throws Exception {
    return begun(step).get(30, TimeUnit.SECONDS);
  }

  /** Does something on a thread of its own. */
  private static CompletableFuture<String> begun(Step step) {
    var result = new CompletableFuture<String>();
    var thread =
        new Thread(
            () -> {
              try {
                result.complete(String.valueOf(step.take()));
              } catch (Exception e) {
                result.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return result;
  }

  private interface Step {
    @Nullable Object take() throws Exception;
  }
}
