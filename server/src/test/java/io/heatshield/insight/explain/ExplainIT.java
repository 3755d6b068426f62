package io.heatshield.insight.explain;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.runtime.json.JsonReader;
import io.heatshield.server.TestServer;
import io.heatshield.testkit.client.RawResp;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Scripted causes, driven through the data port of a whole server. */
@Timeout(120)
class ExplainIT {
  private static final int PIPELINE = 400;

  private final ConfigLoader loader = new ConfigLoader(Map.of());

  @SuppressWarnings("NullAway.Init")
  private TestServer server;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    server =
        TestServer.start(
            folder,
            TestServer.section(folder.resolve("state")),
            "detect: { threshold: 1, width: 65536, top_k: 256 }");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void explain_fiveScriptedCauses_findsEachAndRecommendsOnlyWhatHelps() throws Exception {
    runawayClient();
    viralKey();
    missingKey();
    writeStorm();
    String scanned = scanner();

    var found = new ArrayList<Map<?, ?>>();
    for (String key : List.of("run", "viral", "missing", "storm", scanned)) {
      found.add(field(explain(key), "recommendation"));
    }

    assertThat(found.stream().map(one -> text(one, "cause")))
        .containsExactly("runaway_client", "viral_key", "missing_key", "write_storm", "scanner");
    // The store is in memory and the scanned keys exist: only two of the five can be helped.
    assertThat(found.stream().map(one -> text(one, "setting")))
        .containsExactly(
            "null",
            "null",
            "stores[main].cuckoo_filter.mode",
            "stores[main].write_limit.mode",
            "null");
    for (Map<?, ?> one : found.subList(2, 4)) {
      byte[] line = text(one, "line").getBytes(StandardCharsets.UTF_8);
      assertThat(loader.load("line", line)).as("%s", one).isInstanceOf(LoadResult.Valid.class);
    }
    assertThat(found.stream().map(one -> text(one, "says")))
        .satisfiesExactly(
            says -> assertThat(says).contains("by batch@127.0.0.1, 1 caller"),
            says -> assertThat(says).matches(".*by about [2-4]\\d\\d callers: viral."),
            says -> assertThat(says).startsWith("100 % of 2,"),
            says -> assertThat(says).contains("are writes"),
            says -> assertThat(says).startsWith("crawler@127.0.0.1 uses"));
  }

  @Test
  void explain_onEveryPort_returnsTheSameFacts() throws Exception {
    missingKey();

    Map<?, ?> facts = explain("missing");
    Map<?, ?> context = field(facts, "context");
    String reply;
    String other;
    try (RawResp client = client("asker")) {
      reply = client.call("HS.EXPLAIN", "missing");
      other = client.call("HS.EXPLAIN", "missing", "nowhere");
    }

    assertThat(facts.get("state")).isEqualTo("hot");
    assertThat(text(context, "miss_share")).isEqualTo("1.0");
    assertThat(text(context, "misses")).isEqualTo(text(context, "reads"));
    assertThat(reply)
        .contains(
            "state\r\n$3\r\nhot\r\n",
            "reads\r\n:" + text(context, "reads") + "\r\n",
            "bytes\r\n:" + text(context, "bytes") + "\r\n",
            text(field(facts, "recommendation"), "line"),
            text(facts, "since"));
    assertThat(field(facts, "recommendation").get("in_effect")).isEqualTo(true);
    assertThat(Double.parseDouble(text(field(facts, "recommendation"), "acted")))
        .isBetween(1.0, Double.parseDouble(text(context, "misses")));
    assertThat(text(facts, "done")).contains("action=absence");
    assertThat(other).startsWith("-ERR no such scope");
  }

  @Test
  void explain_coolKey_recommendsNothing() throws Exception {
    try (RawResp client = client("calm")) {
      client.call("SET", "cold", "1");
    }

    Map<?, ?> facts = explain("cold");

    assertThat(facts.get("state")).isEqualTo("cool");
    assertThat(facts.get("recommendation")).isNull();
    assertThat(facts.get("context")).isNull();
  }

  private void runawayClient() {
    try (RawResp client = client("batch")) {
      client.call("SET", "run", "1");
      repeat(client, 2_000, "GET run");
    }
  }

  private void viralKey() {
    try (RawResp client = client("")) {
      client.call("SET", "viral", "1");
      repeat(client, 100, "GET viral");
      for (int caller = 0; caller < 300; caller++) {
        try (RawResp one = client("user" + caller)) {
          one.call("GET", "viral");
        }
      }
    }
  }

  private void missingKey() {
    try (RawResp client = client("poller")) {
      repeat(client, 2_500, "GET missing");
    }
  }

  private void writeStorm() {
    try (RawResp client = client("counter")) {
      repeat(client, 2_000, "INCR storm");
    }
  }

  /** Reads many keys and returns one that is explained. */
  private String scanner() throws Exception {
    List<String> keys = IntStream.range(0, PIPELINE).mapToObj(i -> "scan:" + i).toList();
    try (RawResp client = client("crawler")) {
      for (String key : keys) {
        client.call("SET", key, "1");
      }
      String round = keys.stream().map(key -> "GET " + key + "\r\n").collect(joining());
      for (int i = 0; i < 120; i++) {
        client.sendRaw(round);
        keys.forEach(key -> client.reply());
      }
    }
    for (String key : keys) {
      Map<?, ?> facts = explain(key);
      if (facts.get("context") != null && "hot".equals(facts.get("state"))) {
        return key;
      }
    }
    throw new AssertionError("no key of the scanner is explained");
  }

  private RawResp client(String name) {
    RawResp client = server.connect();
    if (!name.isEmpty()) {
      client.call("CLIENT", "SETNAME", name);
    }
    return client;
  }

  private static void repeat(RawResp client, int times, String command) {
    for (int i = 0; i < times; i += PIPELINE) {
      int now = Math.min(PIPELINE, times - i);
      client.sendRaw((command + "\r\n").repeat(now));
      IntStream.range(0, now).forEach(k -> client.reply());
    }
  }

  private Map<?, ?> explain(String key) throws Exception {
    byte[] answer = server.get("api/v1/keys/" + key).getBytes(StandardCharsets.UTF_8);
    return (Map<?, ?>) Objects.requireNonNull(JsonReader.read(answer));
  }

  private static Map<?, ?> field(Map<?, ?> facts, String name) {
    return (Map<?, ?>) Objects.requireNonNull(facts.get(name), () -> name + " of " + facts);
  }

  private static String text(Map<?, ?> facts, String name) {
    return String.valueOf(facts.get(name));
  }
}
