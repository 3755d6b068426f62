package io.heatshield.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Mode;
import io.heatshield.contract.TextStore;
import io.heatshield.redis.Redis;
import io.heatshield.redis.RedisUrl;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.StoreOptions;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import io.heatshield.testkit.redis.RedisFixture;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three processes that write to one Redis, and a fourth that reads it through the guard. */
@Timeout(180)
class ThreeWritersIT {
  private static final int WRITERS = 3;
  private static final int KEYS = 4;
  private static final long ENOUGH = 300;
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration MAX_STALE = Duration.ofSeconds(1);

  /** The acknowledged numbers of each key, with the time of acknowledgement. */
  private final Map<String, ConcurrentNavigableMap<Long, Long>> acknowledged =
      new ConcurrentHashMap<>();

  @Test
  void get_whileThreeProcessesWrite_isNeverStalerThanStated() throws Exception {
    var writers = new ArrayList<Process>();
    try (RedisFixture redis = RedisFixture.start();
        GuardedStore reader =
            GuardedStore.over(new RedisEngine(Writer.client(redis.uri().toString()), true, ""))
                .options(
                    StoreOptions.of("reader")
                        .with(new StoreOptions.HotReads(Mode.ENFORCE, 16, HOUR, MAX_STALE))
                        .with(StoreOptions.Filter.of(Mode.ENFORCE, 10_000))
                        .withSharedWriters())
                .build()) {
      for (int i = 0; i < WRITERS; i++) {
        writers.add(startWriter(redis.uri().toString(), i));
      }

      while (!haveAllWritten() || reader.stats().cacheHits() < 10_000) {
        for (int i = 0; i < WRITERS * KEYS; i++) {
          readOnce(reader, Writer.name(i / KEYS, i % KEYS));
        }
      }

      assertThat(reader.filter().orElseThrow().mode()).isEqualTo(Mode.OBSERVE);
      assertThat(reader.stats().absentAnswers()).isZero();
    } finally {
      writers.forEach(Process::destroyForcibly);
    }
  }

  /** Reads a key and checks that its number is not older than allowed. */
  private void readOnce(GuardedStore reader, String key) {
    long latest = System.nanoTime() - MAX_STALE.toNanos();
    ConcurrentNavigableMap<Long, Long> times = acknowledged.get(key);
    Map.Entry<Long, Long> due = times == null ? null : times.floorEntry(latest);

    Value value;
    try {
      value = TextStore.now(reader.get(Writer.bytes(key)));
    } catch (StoreException e) {
      return; // A busy machine; who gets no answer sees nothing stale.
    }
    if (due != null) {
      assertThat(value).as(key).isNotNull();
      assertThat(Long.parseLong(value.text())).as(key).isGreaterThanOrEqualTo(due.getValue());
    }
  }

  private boolean haveAllWritten() {
    return acknowledged.size() == WRITERS * KEYS
        && acknowledged.values().stream().allMatch(times -> times.lastEntry().getValue() > ENOUGH);
  }

  private Process startWriter(String uri, int number) throws IOException {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Writer.class.getName(),
                    uri,
                    Integer.toString(number)))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    var listener = new Thread(() -> listen(process), "acknowledgements of writer " + number);
    listener.setDaemon(true);
    listener.start();
    return process;
  }

  private void listen(Process process) {
    try (var out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        int space = line.indexOf(' ');
        if (line.startsWith("writer:") && space > 0) {
          acknowledged
              .computeIfAbsent(line.substring(0, space), key -> new ConcurrentSkipListMap<>())
              .put(System.nanoTime(), Long.parseLong(line.substring(space + 1)));
        }
      }
    } catch (IOException e) {
      // It was ended.
    }
  }

  /** A writer process that prints key and number once a write is acknowledged. */
  static final class Writer {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private Writer() {}

    public static void main(String[] arguments) {
      var out =
          new PrintStream(
              new FileOutputStream(FileDescriptor.out), true, StandardCharsets.US_ASCII);
      int number = Integer.parseInt(arguments[1]);
      GuardedStore store =
          GuardedStore.over(new RedisEngine(client(arguments[0]), false, ""))
              .options(StoreOptions.of("writer").unguarded().withSharedWriters())
              .build();
      for (long i = 1; ; i++) {
        for (int k = 0; k < KEYS; k++) {
          write(store, name(number, k), i, out);
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }

    static String name(int writer, int key) {
      return "writer:" + writer + ":" + key;
    }

    static Redis client(String uri) {
      Redis client = Redis.builder(RedisUrl.parse(uri)).budget(Duration.ofMillis(900)).open();
      if (!client.awaitUp(Duration.ofSeconds(30))) {
        throw new IllegalStateException("Redis is not up");
      }
      return client;
    }

    static byte[] bytes(String text) {
      return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void write(GuardedStore store, String key, long number, PrintStream out) {
      try {
        TextStore.now(store.put(bytes(key), bytes(Long.toString(number))));
        out.println(key + " " + number);
      } catch (StoreException e) {
        // Not acknowledged; the next number will be.
      }
    }
  }
}
