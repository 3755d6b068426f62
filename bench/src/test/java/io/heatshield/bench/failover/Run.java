package io.heatshield.bench.failover;

import io.heatshield.testkit.redis.RedisFixture;
import io.heatshield.testkit.redis.RedisSentinelFixture;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One contestant during one fail-over: four threads that add members, write and read their own key,
 * read a key that another client writes, and count against a limit.
 */
final class Run {
  private static final int NEWCOMER_EVERY = 5;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long MAX_STALE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A read: the time at which it began and its value. */
  private record Read(long began, long value) {}

  /** The counts of one contestant; {@link #plus} adds those of several runs. */
  record Result(long written, long lost, long own, long reads, long stale, long over, long failed) {
    static final Result NONE = new Result(0, 0, 0, 0, 0, 0, 0);

    Result plus(Result other) {
      return new Result(
          written + other.written,
          lost + other.lost,
          own + other.own,
          reads + other.reads,
          stale + other.stale,
          over + other.over,
          failed + other.failed);
    }
  }

  private final Contestant contestant;
  private final String prefix;
  private final long limit;
  private final Set<String> added = ConcurrentHashMap.newKeySet();
  private final ConcurrentLinkedQueue<Read> reads = new ConcurrentLinkedQueue<>();
  private final AtomicLong ownMissed = new AtomicLong();
  private final AtomicLong passed = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final List<Thread> threads;
  private volatile boolean ended;

  /** Starts the threads. */
  Run(Contestant contestant, int round, long limit) {
    this.contestant = contestant;
    this.prefix = contestant.name() + ":" + round + ":";
    this.limit = limit;
    this.threads =
        List.of(
            new Thread(() -> repeat(this::add)),
            new Thread(() -> repeat(this::own)),
            new Thread(() -> repeat(this::read)),
            new Thread(() -> repeat(this::pass)));
    threads.forEach(Thread::start);
  }

  /** Returns the key that {@link Truth} writes and every contestant reads. */
  static String sharedKey(int round) {
    return "shared:" + round;
  }

  /**
   * Ends the threads and counts.
   *
   * @param truth when each number of the shared key was acknowledged by the last master
   */
  Result end(RedisSentinelFixture sentinels, NavigableMap<Long, Long> truth)
      throws InterruptedException {
    ended = true;
    for (Thread thread : threads) {
      thread.join();
    }
    RedisFixture master = sentinels.master();
    var there =
        new HashSet<>(Arrays.asList(master.command("SMEMBERS", prefix + "set").split("\n", -1)));
    long lost = added.stream().filter(member -> !there.contains(member)).count();
    long stale = reads.stream().filter(read -> isStale(read, truth)).count();
    long over = Math.max(0, passed.get() - limit);
    return new Result(added.size(), lost, ownMissed.get(), reads.size(), stale, over, failed.get());
  }

  private static boolean isStale(Read read, NavigableMap<Long, Long> truth) {
    var due = truth.floorEntry(read.began - MAX_STALE_NANOS);
    return due != null && read.value < due.getValue();
  }

  private void add(Contestant.Session session, long turn) {
    String member = Long.toString(turn);
    session.add(prefix + "set", member);
    added.add(member);
  }

  private void own(Contestant.Session session, long turn) {
    session.set(prefix + "own", Long.toString(turn));
    if (turn % NEWCOMER_EVERY == 0) {
      newcomer();
    }
    if (number(session.get(prefix + "own")) < turn) {
      ownMissed.incrementAndGet();
    }
  }

  /** Reads the shared key on a new connection, so that the value may come from memory. */
  private void newcomer() {
    try (Contestant.Session other = contestant.open()) {
      for (int i = 0; i < 2; i++) {
        other.get(prefix + "own");
      }
    }
  }

  private void read(Contestant.Session session, long turn) {
    long began = System.nanoTime();
    String round = prefix.substring(prefix.indexOf(':') + 1, prefix.length() - 1);
    long value = number(session.get(sharedKey(Integer.parseInt(round))));
    reads.add(new Read(began, value));
  }

  private void pass(Contestant.Session session, long turn) {
    if (session.pass(prefix + "limit", limit)) {
      passed.incrementAndGet();
    }
  }

  private void repeat(Step step) {
    try (Contestant.Session session = contestant.open()) {
      for (long turn = 1; !ended; turn++) {
        try {
          step.run(session, turn);
        } catch (RuntimeException refused) {
          failed.incrementAndGet();
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private static long number(@Nullable String text) {
    return text == null ? 0 : Long.parseLong(text);
  }

  /** One step of a thread. */
  private interface Step {
    void run(Contestant.Session session, long turn);
  }

  /**
   * The client that writes the shared key. It asks a sentinel for the master before every write,
   * and records when each number was acknowledged by which server.
   */
  static final class Truth {
    private final RedisSentinelFixture sentinels;
    private final String key;
    private final ConcurrentHashMap<Integer, NavigableMap<Long, Long>> times =
        new ConcurrentHashMap<>();
    private final Thread thread;
    private volatile boolean ended;

    Truth(RedisSentinelFixture sentinels, int round) {
      this.sentinels = sentinels;
      this.key = sharedKey(round);
      this.thread = new Thread(this::run);
      thread.start();
    }

    /** Ends the thread; returns when each number was acknowledged by the current master. */
    NavigableMap<Long, Long> end() throws InterruptedException {
      ended = true;
      thread.join();
      return times.getOrDefault(sentinels.master().port(), new ConcurrentSkipListMap<>());
    }

    private void run() {
      for (long turn = 1; !ended; turn++) {
        try {
          RedisFixture master = sentinels.master();
          master.command("SET", key, Long.toString(turn));
          times
              .computeIfAbsent(master.port(), none -> new ConcurrentSkipListMap<>())
              .put(System.nanoTime(), turn);
        } catch (RuntimeException refused) {
          // The next turn finds the new master.
        }
        LockSupport.parkNanos(4 * PAUSE_NANOS);
      }
    }
  }
}
