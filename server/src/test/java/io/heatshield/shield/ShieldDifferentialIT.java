package io.heatshield.shield;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.redis.BlockingConnection;
import io.heatshield.redis.RedisUrl;
import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.redis.RedisFixture;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random commands of the upstream's whole table, once direct and once through the shield. */
class ShieldDifferentialIT {
  private static final int COMMANDS = 15_000;
  private static final int HOT_GETS = 3;

  /** Commands whose reply depends on time, chance or other clients, or that do not return. */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "acl",
          "auth",
          "bgrewriteaof",
          "bgsave",
          "client",
          "cluster",
          "command",
          "config",
          "debug",
          "dump",
          "failover",
          "hello",
          "info",
          "keys",
          "lastsave",
          "latency",
          "lolwut",
          "memory",
          "migrate",
          "module",
          "monitor",
          "pfdebug",
          "pfselftest",
          "psubscribe",
          "psync",
          "punsubscribe",
          "quit",
          "randomkey",
          "readonly",
          "readwrite",
          "replconf",
          "replicaof",
          "reset",
          "restore-asking",
          "role",
          "save",
          "scan",
          "shutdown",
          "slaveof",
          "slowlog",
          "spop",
          "srandmember",
          "ssubscribe",
          "subscribe",
          "sunsubscribe",
          "sync",
          "time",
          "unsubscribe",
          "wait",
          "xautoclaim",
          "xclaim",
          "xinfo",
          "xpending",
          "zrandmember",
          "hrandfield",
          "hscan",
          "sscan",
          "zscan",
          "object",
          "script");

  private static final String[] WORDS = {
    "a", "b", "c", "hot", "hot", "0", "1", "2", "5", "-1", "3.5", "x", "COUNT", "LIMIT", "GET",
    "NX", "XX", "STORE", "STREAMS", "(1", "[a", "+", "-", "1-1", "5-1", "$", "", "m", "BYSCORE",
    "LEFT"
  };

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void randomCommands_throughTheShield_areAnsweredAsDirectly(long seed) throws Exception {
    try (RedisFixture direct = RedisFixture.start();
        RedisFixture behind = RedisFixture.start();
        OpenShield shield =
            OpenShield.of(
                    behind.uri(),
                    OpenShield.HOT_READS,
                    "write_limit: { mode: observe, per_window: 5 }")
                .awaitTracking();
        RawResp one = RawResp.open(direct.host(), direct.port());
        RawResp other = shield.connect();
        RawResp plain = RawResp.open(direct.host(), direct.port());
        RawResp hot = shield.connect()) {
      List<String[]> table = table(direct);
      var random = new Random(seed);
      if (seed % 2 == 0) {
        one.call("HELLO", "3");
        other.call("HELLO", "3");
      }
      int done = 0;
      while (done < COMMANDS) {
        var batch = new ArrayList<String[]>();
        int size = 1 + random.nextInt(20);
        for (int i = 0; i < size; i++) {
          batch.add(command(table, random));
        }
        batch.forEach(one::send);
        batch.forEach(other::send);
        for (String[] words : batch) {
          String expected = one.reply();
          String actual = other.reply();
          assertThat(lines(actual))
              .as("seed " + seed + ", command " + done + ": " + Arrays.toString(words))
              .isEqualTo(lines(expected));
          done++;
        }
        for (int i = 0; i < HOT_GETS; i++) {
          assertThat(hot.call("GET", "hot"))
              .as("seed " + seed + ", after command " + done)
              .isEqualTo(plain.call("GET", "hot"));
        }
      }

      assertThat(shield.metric("heatshield_shield_cache_hits")).isGreaterThan(10);
      assertThat(behind.command("DBSIZE")).isEqualTo(direct.command("DBSIZE"));
    }
  }

  private static String[] command(List<String[]> table, Random random) {
    int kind = random.nextInt(20);
    if (kind < HOT_GETS) {
      return new String[] {"GET", "hot"};
    }
    if (kind == HOT_GETS) {
      return new String[] {"SET", "hot", "v" + random.nextInt(100)};
    }
    String[] entry = table.get(random.nextInt(table.size()));
    String[] name = entry[0].split("\\|", -1);
    if (name[0].startsWith("flush") && random.nextInt(10) > 0) {
      return new String[] {"PING"};
    }
    int arity = Integer.parseInt(entry[1]);
    int words = arity > 0 ? arity : -arity + random.nextInt(4);
    var command = new String[Math.max(name.length, words)];
    for (int i = 0; i < command.length; i++) {
      command[i] = i < name.length ? name[i] : WORDS[random.nextInt(WORDS.length)];
    }
    return command;
  }

  /** Returns names and arities of all commands that say the same wherever they are run. */
  private static List<String[]> table(RedisFixture redis) throws Exception {
    var table = new ArrayList<String[]>();
    try (BlockingConnection connection =
        BlockingConnection.open(RedisUrl.parse(redis.uri().toString()), Duration.ofSeconds(10))) {
      add(table, (List<?>) Objects.requireNonNull(connection.call("COMMAND")));
    }
    assertThat(table).hasSizeGreaterThan(150);
    return table;
  }

  private static void add(List<String[]> table, List<?> entries) {
    for (Object entry : entries) {
      var parts = (List<?>) entry;
      String name = new String((byte[]) parts.get(0), StandardCharsets.US_ASCII);
      String flags = KeySpecText.of(parts.get(2));
      boolean varies =
          LEFT_OUT.contains(name.split("\\|", -1)[0])
              || name.contains("expire")
              || name.contains("ttl")
              || name.contains("setex")
              || name.equals("getex")
              || flags.contains("blocking");
      if (!varies) {
        List<?> children = (List<?>) parts.get(9);
        if (children.isEmpty()) {
          table.add(new String[] {name, String.valueOf(parts.get(1))});
        } else {
          add(table, children);
        }
      }
    }
  }

  /** Returns the lines of a reply, in the order of the alphabet: sets have none of their own. */
  private static List<String> lines(String reply) {
    return Arrays.stream(reply.split("\r\n", -1)).sorted().toList();
  }

  /** The flags of a command as one text. */
  private static final class KeySpecText {
    static String of(Object flags) {
      return ((List<?>) flags)
          .stream()
              .map(flag -> new String((byte[]) flag, StandardCharsets.UTF_8))
              .reduce("", (one, other) -> one + " " + other);
    }
  }
}
