package io.heatshield.server;

import static io.heatshield.server.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Value;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.heatshield.testkit.redis.RedisFixture;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rate limits with counters in a real Redis, through the ports of whole servers. */
@Timeout(180)
class RedisLimitsIT {
  private final Deque<Runnable> toStop = new ArrayDeque<>();
  private String timeout = "300ms";

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private RedisFixture redis;

  @BeforeEach
  void start() throws IOException {
    redis = RedisFixture.start();
    toStop.push(redis::close);
    Files.createDirectories(folder.resolve("limits"));
    Files.writeString(
        folder.resolve("limits/shop.yaml"),
        """
        domain: shop
        descriptors:
          - {key: a, rate_limit: {unit: day, requests_per_unit: 3}}
          - {key: b, rate_limit: {unit: day, requests_per_unit: 1000}}
          - {key: s, rate_limit: {unit: second, requests_per_unit: 1000}}
        """);
  }

  @AfterEach
  void stop() {
    while (!toStop.isEmpty()) {
      toStop.pop().run();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "observe", "enforce"})
  void requests_toTwoServers_countTogether(String mode) throws Exception {
    String hotKeys = "hot_keys: {mode: " + mode + ", threshold: 1}";
    TestServer one = serve("local", hotKeys);
    TestServer other = serve("local", hotKeys);

    assertThat(json(one, "a").statusCode()).isEqualTo(200);
    assertThat(ask(other, "a").getOverallCode()).isEqualTo(RateLimitResponse.Code.OK);
    assertThat(ask(one, "a").getStatuses(0).getLimitRemaining()).isZero();

    assertThat(json(other, "a").statusCode()).isEqualTo(429);
    assertThat(redis.command("DBSIZE")).isEqualTo("1");
    assertThat(one.get("readyz")).isEqualTo("ready\n");
    assertThat(one.get("metrics"))
        .contains("heatshield_redis_up{redis=\"main\"} 1.0", "heatshield_limit_degraded 0.0");
    assertThat(one.server().summary()).anyMatch(line -> line.contains("redis://127.0.0.1"));
  }

  @ParameterizedTest
  @CsvSource({"local, OK, OVER_LIMIT", "open, OK, OK", "closed, OVER_LIMIT, OVER_LIMIT"})
  void questions_whenRedisIsGone_areAnsweredByThePolicyAndMarked(
      String policy, String first, String fourth) throws Exception {
    TestServer running = serve(policy, "dynamic_metadata: false");
    assertThat(degraded(ask(running, "a"))).isEmpty();

    redis.kill();
    var codes = new ArrayList<String>();
    for (int i = 0; i < 4; i++) {
      RateLimitResponse answer = ask(running, "a");
      codes.add(answer.getOverallCode().name());
      assertThat(degraded(answer)).isEqualTo(policy);
    }

    assertThat(codes.get(0)).isEqualTo(first);
    assertThat(codes.get(3)).isEqualTo(fourth);
    assertThat(json(running, "b").body()).contains("\"degraded\":\"" + policy + "\"");
    assertThat(running.get("metrics"))
        .contains("heatshield_limit_degraded 1.0", "heatshield_redis_up{redis=\"main\"} 0.0")
        .containsPattern("limit_degraded_counts_total\\{on_failure=\"" + policy + "\"} [5-9]");
    await(() -> running.get("readyz").contains("redis: does not answer"));
    assertThat(running.get("readyz")).startsWith(policy.equals("closed") ? "not ready" : "ready");
    assertThat(running.get("livez")).isEqualTo("live\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "open", "closed"})
  void requests_redisStopsAndContinues_areCountedInRedisAgain(String policy) throws Exception {
    TestServer running = serve(policy, "hot_keys: {mode: enforce, threshold: 1}");
    assertThat(degraded(ask(running, "b"))).isEmpty();

    redis.pause();
    assertThat(degraded(ask(running, "b"))).isEqualTo(policy);
    await(() -> degraded(ask(running, "b")).equals(policy) && isOpen(running));
    redis.resume();

    await(() -> degraded(ask(running, "b")).isEmpty());
    await(() -> running.get("metrics").contains("heatshield_redis_up{redis=\"main\"} 1.0"));
    await(() -> running.get("readyz").equals("ready\n"));
  }

  @Test
  void start_whileRedisIsDown_isNotReadyBeforeItAnswers() throws Exception {
    redis.kill();

    TestServer running = serve("local", "dynamic_metadata: true");
    assertThat(running.get("readyz")).contains("not ready", "redis: has not answered yet");
    assertThat(degraded(ask(running, "a"))).isEqualTo("local");
    redis.restart();

    await(() -> running.get("readyz").equals("ready\n"));
    await(() -> degraded(ask(running, "b")).isEmpty());
  }

  @Test
  void requests_withLimitsPerSecond_areCountedInTheSecondRedis() throws Exception {
    RedisFixture second = RedisFixture.start();
    toStop.push(second::close);
    TestServer running =
        serve("local", "per_second_url: 'redis://127.0.0.1:" + second.port() + "'", "");

    ask(running, "s");
    ask(running, "b");

    assertThat(second.command("DBSIZE")).isEqualTo("1");
    assertThat(redis.command("DBSIZE")).isEqualTo("1");
    assertThat(running.get("metrics")).contains("heatshield_redis_up{redis=\"per_second\"} 1.0");
  }

  @Test
  void requests_forAHotCounter_shareCallsAndAdmitExactlyTheLimit() throws Exception {
    timeout = "5s"; // A busy machine must not refuse a call that was counted.
    List<TestServer> servers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      servers.add(serve("closed", "hot_keys: {mode: enforce, threshold: 5, flush_window: 5ms}"));
    }
    var threads = new ArrayList<Thread>();
    var admitted = new java.util.concurrent.atomic.AtomicInteger();
    for (int i = 0; i < 20; i++) {
      TestServer to = servers.get(i % 2);
      threads.add(
          new Thread(
              () -> {
                for (int j = 0; j < 60; j++) {
                  RateLimitResponse answer = ask(to, "b");
                  boolean ok = answer.getOverallCode() == RateLimitResponse.Code.OK;
                  admitted.addAndGet(ok ? 1 : 0);
                }
              }));
    }

    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(admitted).hasValue(1000);
    String metrics = servers.get(0).get("metrics");
    assertThat(metrics)
        .contains("heatshield_limit_hot_keys 1.0", "heatshield_limit_flight_callers_bucket")
        .containsPattern("heatshield_limit_calls_saved_total [1-9]")
        .containsPattern("heatshield_limit_flight_wait_seconds_count [1-9]");
    assertThat(servers.get(0).get("api/v1/savings")).contains("coalesce");
  }

  private static boolean isOpen(TestServer running) {
    return running.get("metrics").contains("heatshield_redis_up{redis=\"main\"} 0.0");
  }

  private TestServer serve(String policy, String limits) throws Exception {
    return serve(policy, "", limits);
  }

  private TestServer serve(String policy, String redisSetting, String limits) throws Exception {
    int number = toStop.size();
    TestServer started =
        TestServer.start(
            Files.writeString(
                folder.resolve(number + ".yaml"),
                TestServer.section(folder.resolve("state" + number))
                    + "redis: { url: 'redis://127.0.0.1:"
                    + redis.port()
                    + "', timeout: "
                    + timeout
                    + ", on_failure: "
                    + policy
                    + (redisSetting.isEmpty() ? "" : ", " + redisSetting)
                    + " }\nlimits: { backend: redis, config: '"
                    + folder.resolve("limits")
                    + "'"
                    + (limits.isEmpty() ? "" : ", " + limits)
                    + " }\n"));
    toStop.push(started::close);
    return started;
  }

  private static RateLimitResponse ask(TestServer running, String key) {
    return RateLimitServiceGrpc.newBlockingStub(running.channel())
        .withDeadlineAfter(30, TimeUnit.SECONDS)
        .shouldRateLimit(
            RateLimitRequest.newBuilder()
                .setDomain("shop")
                .addDescriptors(
                    RateLimitDescriptor.newBuilder()
                        .addEntries(
                            RateLimitDescriptor.Entry.newBuilder().setKey(key).setValue("x")))
                .build());
  }

  /** Returns the policy that gave an answer; empty if it came from Redis. */
  private static String degraded(RateLimitResponse answer) {
    return answer
        .getDynamicMetadata()
        .getFieldsOrDefault("degraded", Value.getDefaultInstance())
        .getStringValue();
  }

  private static HttpResponse<String> json(TestServer running, String key) {
    return running.post(
        "json",
        "{\"domain\":\"shop\",\"descriptors\":[{\"entries\":[{\"key\":\""
            + key
            + "\",\"value\":\"x\"}]}]}");
  }
}
