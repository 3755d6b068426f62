package io.heatshield.web.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.detect.HotKeyDetector;
import io.heatshield.runtime.json.JsonReader;
import io.heatshield.server.TestServer;
import io.heatshield.testkit.client.RawResp;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The APIs of the page on a whole server: search, series, incidents and history. */
@Timeout(120)
class PageApisIT {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private TestServer server;

  @BeforeEach
  void start() throws Exception {
    server =
        TestServer.start(
            folder,
            TestServer.section(folder.resolve("state")),
            "detect: { top_k: 64, width: 65536 }");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void hot_searchedAndPaged_findsEveryTrackedKey() throws Exception {
    HotKeyDetector shop = server.server().scopes().open("shop");
    for (int i = 0; i < 100; i++) {
      shop.touch("cart:" + i, 100_000 - i);
      shop.touch("user:" + i, 50_000 - i);
    }

    Map<?, ?> first = scope(get("api/v1/hot?scope=shop&n=50"));
    Map<?, ?> last = scope(get("api/v1/hot?scope=shop&n=50&offset=150"));
    Map<?, ?> prefix = scope(get("api/v1/hot?scope=shop&n=3&prefix=user:"));
    Map<?, ?> part = scope(get("api/v1/hot?scope=shop&contains=:99"));

    assertThat(number(first, "total")).isEqualTo(200);
    assertThat(number(first, "tracked")).isEqualTo(200);
    assertThat(keys(first)).hasSize(50).startsWith("cart:0", "cart:1");
    assertThat(keys(last)).hasSize(50).endsWith("user:99");
    assertThat(number(prefix, "total")).isEqualTo(100);
    assertThat(keys(prefix)).containsExactly("user:0", "user:1", "user:2");
    assertThat(keys(part)).containsExactly("cart:99", "user:99");
    assertThat(number(part, "total")).isEqualTo(2);
  }

  @Test
  void hot_badPage_is400() throws Exception {
    server.server().scopes().open("shop");

    assertThat(status("api/v1/hot?offset=-1")).isEqualTo(400);
    assertThat(status("api/v1/hot?n=1001")).isEqualTo(400);
    assertThat(status("api/v1/history?from=5&to=4")).isEqualTo(400);
    assertThat(status("api/v1/history?from=now")).isEqualTo(400);
    assertThat(status("api/v1/series?seconds=901")).isEqualTo(400);
    assertThat(status("api/v1/incidents?n=0")).isEqualTo(400);
  }

  @Test
  void series_commandsOfClients_showInRequestsStoreCallsErrorsAndLatency() throws Exception {
    await("api/v1/series", view -> !times(view).isEmpty());

    Map<?, ?> view;
    try (RawResp client = server.connect()) {
      view =
          await(
              "api/v1/series?scope=main",
              found -> {
                client.call("SET", "there", "1");
                client.call("GET", "there");
                client.call("NOSUCHCOMMAND");
                return measured(found, "requests")
                    && measured(found, "store_calls")
                    && measured(found, "errors")
                    && measured(found, "answer_p99_ms");
              });
    }

    assertThat(times(view)).isSorted();
    assertThat((List<?>) view.get("scopes")).asString().contains("main");
  }

  @Test
  void incidents_keyTurnsHot_isListedWithCauseAndRecommendation() throws Exception {
    HotKeyDetector shop = server.server().scopes().open("shop");
    shop.touch("cart:42", 7_000);

    Map<?, ?> view = await("api/v1/incidents?scope=shop", found -> number(found, "open") == 1);

    Map<?, ?> incident = (Map<?, ?>) list(view, "incidents").get(0);
    assertThat(incident.get("key")).isEqualTo("cart:42");
    assertThat(incident.get("state")).isEqualTo("open");
    assertThat(incident.get("recommendation")).isInstanceOf(Map.class);
    assertThat(number(get("api/v1/incidents?scope=other"), "total")).isZero();
  }

  @Test
  void history_lastMinutesAndSearch_hasTheKeysBySecond() throws Exception {
    HotKeyDetector shop = server.server().scopes().open("shop");
    shop.touch("cart:42", 7_000);
    shop.touch("user:7", 7_000);

    Map<?, ?> view =
        await(
            "api/v1/history?minutes=1&columns=60&contains=art&scope=shop",
            found -> number(found, "total") == 1);

    assertThat(((Map<?, ?>) list(view, "rows").get(0)).get("key")).isEqualTo("cart:42");
  }

  private interface Check {
    boolean test(Map<?, ?> view) throws Exception;
  }

  private Map<?, ?> await(String path, Check check) throws Exception {
    Map<?, ?> view = get(path);
    while (!check.test(view)) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      view = get(path);
    }
    return view;
  }

  private static boolean measured(Map<?, ?> view, String metric) {
    Predicate<Object> positive = value -> ((Number) value).doubleValue() > 0;
    return list((Map<?, ?>) Objects.requireNonNull(view.get("values")), metric).stream()
        .filter(Objects::nonNull)
        .anyMatch(positive);
  }

  private static List<Long> times(Map<?, ?> view) {
    return list(view, "times").stream().map(time -> ((Number) time).longValue()).toList();
  }

  private static Map<?, ?> scope(Map<?, ?> view) {
    return (Map<?, ?>) list(view, "scopes").get(0);
  }

  private static List<String> keys(Map<?, ?> scope) {
    return list(scope, "keys").stream()
        .map(key -> String.valueOf(((Map<?, ?>) key).get("key")))
        .toList();
  }

  private static List<?> list(Map<?, ?> view, String name) {
    return (List<?>) Objects.requireNonNull(view.get(name));
  }

  private static long number(Map<?, ?> view, String name) {
    return ((Number) Objects.requireNonNull(view.get(name))).longValue();
  }

  private Map<?, ?> get(String path) throws Exception {
    HttpResponse<String> answer = send(path);
    assertThat(answer.statusCode()).isEqualTo(200);
    return (Map<?, ?>) Objects.requireNonNull(JsonReader.read(answer.body().getBytes(UTF_8)));
  }

  private int status(String path) {
    return server.status(path);
  }

  private HttpResponse<String> send(String path) {
    return server.send(HttpRequest.newBuilder(server.at(path)));
  }
}
