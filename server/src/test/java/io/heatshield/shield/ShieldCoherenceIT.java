package io.heatshield.shield;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.redis.RedisFixture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Consistency of reads from memory with writes through the shield and foreign writes. */
class ShieldCoherenceIT {
  private static final int ROUNDS = 10_000;

  private static final RedisFixture redis = RedisFixture.start();

  @AutoClose
  private static final OpenShield shield =
      OpenShield.of(redis.uri(), OpenShield.HOT_READS, OpenShield.NO_WRITE_LIMIT)
          .closing(redis)
          .awaitTracking();

  @BeforeEach
  void clear() {
    redis.command("FLUSHALL");
  }

  @Test
  void hotKey_readAgain_isAnsweredFromMemory() {
    try (RawResp client = shield.connect()) {
      client.call("SET", "k", "v");
      awaitInvalidations(client);
      heat(client, "k", "$1\r\nv\r\n");
      double before = shield.metric("heatshield_shield_cache_hits");
      long asked = calls("get");

      for (int i = 0; i < 100; i++) {
        assertThat(client.call("GET", "k")).isEqualTo("$1\r\nv\r\n");
      }
      assertThat(client.call("MGET", "k", "k")).isEqualTo("*2\r\n$1\r\nv\r\n$1\r\nv\r\n");

      assertThat(shield.metric("heatshield_shield_cache_hits") - before).isEqualTo(102);
      assertThat(calls("get") - asked).isZero();
      assertThat(shield.get("api/v1/savings")).contains("\"hot_reads\"", "\"shield\"");
    }
  }

  @Test
  void foreignWriters_againstAHotKey_areSeenWithinTheBound() {
    try (RawResp client = shield.connect()) {
      redis.command("SET", "k", "0");
      heat(client, "k", "$1\r\n0\r\n");
      double before = shield.metric("heatshield_shield_cache_hits");

      for (int i = 1; i <= ROUNDS; i++) {
        String value = Integer.toString(i);
        redis.command("SET", "k", value);
        long written = System.nanoTime();
        String wanted = "$" + value.length() + "\r\n" + value + "\r\n";
        while (!client.call("GET", "k").equals(wanted)) {
          long stale = System.nanoTime() - written;
          assertThat(stale).as("round " + i).isLessThan(TimeUnit.SECONDS.toNanos(10));
        }
        client.call("GET", "k");
        client.call("GET", "k");
      }

      assertThat(shield.metric("heatshield_shield_cache_hits") - before).isGreaterThan(1000);
    }
  }

  @Test
  void ownWrites_ofEveryKind_areReadImmediately() {
    try (RawResp client = shield.connect();
        RawResp other = shield.connect()) {
      for (int i = 0; i < 1000; i++) {
        String value = Integer.toString(1000 + i);
        String wanted = "$4\r\n" + value + "\r\n";
        switch (i % 5) {
          case 0 -> client.call("SET", "k", value);
          case 1 ->
              client.call("EVAL", "return redis.call('SET', KEYS[1], ARGV[1])", "1", "k", value);
          case 2 -> client.call("MSET", "a", "b", "k", value);
          case 3 -> {
            client.call("MULTI");
            client.call("SET", "k", value);
            client.call("EXEC");
          }
          default -> client.call("INCR", "k");
        }

        assertThat(other.call("GET", "k")).isEqualTo(wanted);
        assertThat(client.call("GET", "k")).isEqualTo(wanted);
        heat(client, "k", wanted);
      }
    }
  }

  @Test
  void script_thatDoesNotNameItsKey_isReadImmediatelyOnItsConnection() {
    try (RawResp client = shield.connect()) {
      client.call("SET", "k", "0000");
      for (int i = 1; i < 200; i++) {
        heat(client, "k", "$4\r\n");
        String value = Integer.toString(1000 + i);

        client.call("EVAL", "return redis.call('SET', 'k', ARGV[1])", "0", value);

        assertThat(client.call("GET", "k")).isEqualTo("$4\r\n" + value + "\r\n");
      }
    }
  }

  @Test
  void concurrentWritersAndReaders_neverReadAValueOlderThanAnAcknowledgedWrite()
      throws InterruptedException {
    redis.command("SET", "k", "0");
    var acknowledged = new AtomicInteger();
    var failure = new AtomicReference<@Nullable String>();
    var stop = new AtomicBoolean();
    var readers = new Thread[3];
    for (int t = 0; t < readers.length; t++) {
      readers[t] =
          new Thread(
              () -> {
                try (RawResp client = shield.connect()) {
                  while (!stop.get()) {
                    int least = acknowledged.get();
                    String reply = client.call("GET", "k");
                    int seen = Integer.parseInt(reply.split("\r\n", -1)[1]);
                    if (seen < least) {
                      failure.set("read " + seen + " after " + least + " was acknowledged");
                    }
                  }
                }
              });
      readers[t].start();
    }

    try (RawResp writer = shield.connect()) {
      for (int i = 1; i <= 3000; i++) {
        writer.call("SET", "k", Integer.toString(i));
        acknowledged.set(i);
      }
    }
    stop.set(true);
    for (Thread reader : readers) {
      reader.join();
    }

    assertThat(failure.get()).isNull();
  }

  @Test
  void databasesAndUsers_withTheSameKey_doNotSeeEachOthersValues() {
    redis.command("ACL", "SETUSER", "poor", "on", ">secret", "~other", "+@all");
    try (RawResp client = shield.connect();
        RawResp second = shield.connect();
        RawResp poor = shield.connect()) {
      client.call("SET", "k", "zero");
      heat(client, "k", "$4\r\nzero\r\n");
      second.call("SELECT", "1");
      poor.call("AUTH", "poor", "secret");

      assertThat(second.call("GET", "k")).isEqualTo("$-1\r\n");
      for (int i = 0; i < 20; i++) {
        assertThat(poor.call("GET", "k")).startsWith("-NOPERM");
      }
      assertThat(client.call("GET", "k")).isEqualTo("$4\r\nzero\r\n");
    }
  }

  @Test
  void keyWithTtl_readFromMemory_expiresInTime() {
    try (RawResp client = shield.connect()) {
      client.call("SET", "k", "v", "PX", "2000");
      heat(client, "k", "$1\r\nv\r\n");
      OpenShield.await(() -> redis.command("EXISTS", "k").equals("0"));

      assertThat(client.call("GET", "k")).isEqualTo("$-1\r\n");
    }
  }

  @Test
  void watchedKey_isReadFromTheUpstream() {
    try (RawResp client = shield.connect()) {
      client.call("SET", "k", "v");
      heat(client, "k", "$1\r\nv\r\n");
      client.call("WATCH", "k");
      long asked = calls("get");

      client.call("GET", "k");

      assertThat(calls("get") - asked).isEqualTo(1);
    }
  }

  /**
   * Waits until all changes so far have been delivered. They arrive in order, so this waits until a
   * foreign write to a key in memory becomes visible.
   */
  private static void awaitInvalidations(RawResp client) {
    redis.command("SET", "other", "1");
    double hits = shield.metric("heatshield_shield_cache_hits");
    while (shield.metric("heatshield_shield_cache_hits") < hits + 4) {
      heat(client, "other", "$1\r\n1\r\n");
    }
    redis.command("SET", "other", "2");
    String seen;
    do {
      seen = client.call("GET", "other");
    } while (!seen.equals("$1\r\n2\r\n"));
  }

  /** Reads a key often enough that it is in memory. */
  private static void heat(RawResp client, String key, String wanted) {
    for (int i = 0; i < 4; i++) {
      assertThat(client.call("GET", key)).startsWith(wanted);
    }
  }

  private static long calls(String command) {
    for (String line : redis.command("INFO", "commandstats").split("\r?\n", -1)) {
      if (line.startsWith("cmdstat_" + command + ":")) {
        return Long.parseLong(line.substring(line.indexOf("calls=") + 6, line.indexOf(',')));
      }
    }
    return 0;
  }
}
