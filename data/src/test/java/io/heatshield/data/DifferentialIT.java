package io.heatshield.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.redis.RedisFixture;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/**
 * The same random commands by two clients to a real Redis 7 and to the data port get the same
 * bytes, in both protocols; what differs is shrunk to the shortest stream that does.
 */
class DifferentialIT {
  private static final int CLIENTS = 2;
  private static final long TOLERANCE = 3000;
  private static final Set<String> TIMES =
      Set.of("ttl", "pttl", "expiretime", "pexpiretime", "exec");

  private static final Set<String> NOT_IN_TRANSACTIONS =
      Set.of("keys", "scan", "select", "flushall", "flushdb");

  private static @Nullable RedisFixture redis;
  private static @Nullable DataPortFixture port;

  private static final List<RawResp> theirs = new ArrayList<>();
  private static final List<RawResp> ours = new ArrayList<>();

  record Step(int client, List<String> words) {
    @Override
    public String toString() {
      return client + ":" + words;
    }
  }

  @BeforeContainer
  static void start() {
    var real = RedisFixture.start("databases 1");
    var own = DataPortFixture.open();
    redis = real;
    port = own;
    for (int i = 0; i < CLIENTS; i++) {
      theirs.add(RawResp.open(real.host(), real.port()));
      ours.add(own.client());
    }
  }

  @AfterContainer
  static void stop() {
    theirs.forEach(RawResp::close);
    ours.forEach(RawResp::close);
    if (port != null) {
      port.close();
    }
    if (redis != null) {
      redis.close();
    }
  }

  @Property(tries = 1500)
  void replies_ofRandomStreams_areThoseOfRedis(@ForAll("streams") List<Step> steps) {
    run("2", steps);
  }

  @Property(tries = 500)
  void replies_ofRandomStreamsInResp3_areThoseOfRedis(@ForAll("streams") List<Step> steps) {
    run("3", steps);
  }

  /** Runs alone, because jqwik may still shrink a failure when the next property begins. */
  private static synchronized void run(String protocol, List<Step> steps) {
    for (List<RawResp> side : List.of(theirs, ours)) {
      side.forEach(client -> client.call("RESET"));
      side.forEach(client -> client.call("HELLO", protocol));
      assertThat(side.get(0).call("FLUSHALL")).isEqualTo("+OK\r\n");
    }
    boolean[] inTransaction = new boolean[CLIENTS];
    for (Step step : steps) {
      String[] words = step.words().toArray(String[]::new);
      String name = words[0].toLowerCase(Locale.ROOT);
      if (inTransaction[step.client()] && NOT_IN_TRANSACTIONS.contains(name)) {
        continue;
      }
      String expected = theirs.get(step.client()).call(words);
      String actual = ours.get(step.client()).call(words);
      assertThat(normal(words[0], actual, expected))
          .as("reply to %s in %s", step, steps)
          .isEqualTo(normal(words[0], expected, expected));
      if (!expected.startsWith("-") && Set.of("multi", "exec", "discard").contains(name)) {
        inTransaction[step.client()] = name.equals("multi");
      } else if (expected.startsWith("-EXECABORT")) {
        inTransaction[step.client()] = false;
      }
    }
  }

  /** Removes what may differ: the order of KEYS, and times between two calls. */
  private static String normal(String name, String reply, String expected) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.equals("keys")) {
      return Arrays.stream(reply.split("\\$", -1)).sorted().collect(Collectors.joining("$"));
    }
    if (!TIMES.contains(lower)) {
      return reply;
    }
    String[] lines = reply.split("\r\n", -1);
    String[] others = expected.split("\r\n", -1);
    for (int i = 0; i < Math.min(lines.length, others.length); i++) {
      if (isTime(lines[i])
          && isTime(others[i])
          && Math.abs(number(lines[i]) - number(others[i])) <= TOLERANCE) {
        lines[i] = others[i];
      }
    }
    return String.join("\r\n", lines);
  }

  /** Returns whether a line is a number so large that it must be a time. */
  private static boolean isTime(String line) {
    return line.matches(":[0-9]{3,19}") && number(line) > TOLERANCE / 10;
  }

  private static long number(String reply) {
    return Long.parseLong(reply.substring(1));
  }

  @Provide
  Arbitrary<List<Step>> streams() {
    Arbitrary<List<String>> command =
        Arbitraries.of(TEMPLATES).flatMap(DifferentialIT::filled).flatMap(DifferentialIT::bent);
    return Combinators.combine(Arbitraries.integers().between(0, CLIENTS - 1), command)
        .as(Step::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(40);
  }

  private static final List<String> TEMPLATES =
      List.of(
          "get K",
          "get K",
          "set K V",
          "set K V",
          "set K V S",
          "set K V S S",
          "set K V EX E",
          "set K V PX E",
          "set K V EXAT E",
          "set K V PXAT E",
          "set K V S EX E S",
          "set K V KEEPTTL GET",
          "setex K E V",
          "psetex K E V",
          "setnx K V",
          "getset K V",
          "getdel K",
          "getex K",
          "getex K EX E",
          "getex K PX E",
          "getex K EXAT E",
          "getex K PXAT E",
          "getex K PERSIST",
          "getex K PERSIST EX E",
          "getex K S",
          "mget K",
          "mget K K K",
          "mset K V",
          "mset K V K V",
          "msetnx K V K V",
          "append K V",
          "strlen K",
          "setrange K I V",
          "getrange K I I",
          "substr K I I",
          "incr K",
          "decr K",
          "incr K",
          "incrby K I",
          "decrby K I",
          "incrbyfloat K F",
          "incrbyfloat K F",
          "del K",
          "del K K",
          "unlink K K K",
          "exists K",
          "exists K K K",
          "touch K K",
          "type K",
          "expire K E",
          "expire K E X",
          "pexpire K E X",
          "expireat K E X",
          "pexpireat K E X",
          "expire K E X X",
          "ttl K",
          "pttl K",
          "expiretime K",
          "pexpiretime K",
          "persist K",
          "rename K K",
          "renamenx K K",
          "keys P",
          "multi",
          "multi",
          "exec",
          "exec",
          "exec",
          "discard",
          "watch K",
          "watch K K",
          "watch K K",
          "watch K",
          "flushall",
          "flushdb",
          "unwatch",
          "ping",
          "ping V",
          "echo V",
          "nosuch K K",
          "scan I COUNT abc COUNT abc",
          "scan abc MATCH x",
          "scan 0 COUNT 0 MATCH x",
          "scan 0 COUNT abc MATCH",
          "client getname",
          "client setname abc",
          "client nosuch",
          "command count extra extra",
          "select 0",
          "select abc",
          "memory usage nosuchkey nosuch nosuch");

  private static Arbitrary<List<String>> filled(String template) {
    List<Arbitrary<String>> words =
        Arrays.stream(template.split(" ", -1)).map(DifferentialIT::word).toList();
    return Combinators.combine(words).as(all -> all);
  }

  /** Now and then drops the last word, adds one, or changes the case of the name. */
  private static Arbitrary<List<String>> bent(List<String> words) {
    return Arbitraries.frequencyOf(
        Tuple.of(20, Arbitraries.just(words)),
        Tuple.of(
            1, Arbitraries.just(words.size() > 1 ? words.subList(0, words.size() - 1) : words)),
        Tuple.of(
            1,
            Arbitraries.of("x", "", "EX", "NX")
                .map(
                    more -> {
                      var longer = new ArrayList<>(words);
                      longer.add(more);
                      return longer;
                    })),
        Tuple.of(
            2,
            Arbitraries.just(
                words.stream()
                    .map(word -> word.equals(words.get(0)) ? word.toUpperCase(Locale.ROOT) : word)
                    .toList())));
  }

  private static Arbitrary<String> word(String mark) {
    return switch (mark) {
      case "K" -> Arbitraries.of("a", "b", "c", "d");
      case "V" ->
          Arbitraries.of(
              "",
              "a",
              "0",
              "10",
              "-5",
              "9223372036854775807",
              "-9223372036854775808",
              "3.5",
              " 1",
              "01",
              "1e3",
              "-0",
              "\u0000\r\n\u00ff",
              "0x10",
              "inf",
              "x".repeat(100));
      case "I" ->
          Arbitraries.of(
              "0",
              "1",
              "-1",
              "2",
              "-3",
              "5",
              "100",
              "-100",
              "9223372036854775807",
              "-9223372036854775808",
              "9223372036854775808",
              "abc",
              "",
              "1.5",
              "+1",
              "01",
              " 1",
              "-",
              "-0");
      case "F" ->
          Arbitraries.oneOf(
              Arbitraries.of(
                  "0",
                  "1",
                  "-1",
                  "0.1",
                  "-0.1",
                  "1.5",
                  "3.0e3",
                  "1e20",
                  "-1e-5",
                  "abc",
                  "",
                  "inf",
                  "-inf",
                  "nan",
                  "1e400",
                  "1e5000",
                  "0x1p3",
                  ".5",
                  "5.",
                  "+2",
                  " 1",
                  "1 ",
                  "1e",
                  "1e-20",
                  "123456789.123456789"),
              Arbitraries.doubles().between(-1e6, 1e6).map(String::valueOf));
      case "E" ->
          // Valid amounts are drawn wide apart: two equal ones a millisecond apart may compare
          // either way.
          Arbitraries.oneOf(
              Arbitraries.of(
                  "-1", "0", "abc", "", "9223372036854775807", "-9223372036854775808", "1.5"),
              Arbitraries.longs()
                  .between(1_000_000, 1_000_000_000_000L)
                  .withoutEdgeCases()
                  .map(String::valueOf),
              Arbitraries.longs()
                  .between(4_000_000_000_000L, 9_000_000_000_000L)
                  .withoutEdgeCases()
                  .map(String::valueOf));
      case "S" ->
          Arbitraries.of(
              "NX", "XX", "GET", "KEEPTTL", "nx", "xx", "get", "PERSIST", "EX", "PX", "foo");
      case "X" -> Arbitraries.of("NX", "XX", "GT", "LT", "gt", "foo");
      case "P" ->
          Arbitraries.of(
              "*", "a", "?", "[ab]", "[^a]", "[a-c]", "\\a", "", "[", "a*b", "[b-a]", "**");
      default -> Arbitraries.just(mark);
    };
  }
}
