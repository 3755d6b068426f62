package io.heatshield.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Value;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.config.value.Address;
import io.heatshield.testkit.redis.RedisFixture;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rate limits whose counters live in a real Redis, through the doors of whole servers. */
@Timeout(180)
class RedisLimitsIT {
  private final HttpClient client = HttpClient.newHttpClient();
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
  void questions_overTheDoorsOfTwoServers_countTogether(String mode) throws Exception {
    String hotKeys = "hot_keys: {mode: " + mode + ", threshold: 1}";
    Running one = serve("local", hotKeys);
    Running other = serve("local", hotKeys);

    assertThat(json(one, "a").statusCode()).isEqualTo(200);
    assertThat(ask(other, "a").getOverallCode()).isEqualTo(RateLimitResponse.Code.OK);
    assertThat(ask(one, "a").getStatuses(0).getLimitRemaining()).isZero();

    assertThat(json(other, "a").statusCode()).isEqualTo(429);
    assertThat(redis.command("DBSIZE")).isEqualTo("1");
    assertThat(get(one, "readyz")).isEqualTo("ready\n");
    assertThat(get(one, "metrics"))
        .contains("heatshield_redis_up{redis=\"main\"} 1.0", "heatshield_limit_degraded 0.0");
    assertThat(one.server.summary()).anyMatch(line -> line.contains("redis://127.0.0.1"));
  }

  @ParameterizedTest
  @CsvSource({"local, OK, OVER_LIMIT", "open, OK, OK", "closed, OVER_LIMIT, OVER_LIMIT"})
  void questions_whenRedisIsGone_areAnsweredByThePolicyAndMarked(
      String policy, String first, String fourth) throws Exception {
    Running running = serve(policy, "dynamic_metadata: false");
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
    assertThat(get(running, "metrics"))
        .contains("heatshield_limit_degraded 1.0", "heatshield_redis_up{redis=\"main\"} 0.0")
        .containsPattern("limit_degraded_counts_total\\{on_failure=\"" + policy + "\"} [5-9]");
    await(() -> get(running, "readyz").contains("redis: does not answer"));
    assertThat(get(running, "readyz")).startsWith(policy.equals("closed") ? "not ready" : "ready");
    assertThat(get(running, "livez")).isEqualTo("live\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "open", "closed"})
  void questions_whenRedisStopsAndGoesOn_areCountedThereAgain(String policy) throws Exception {
    Running running = serve(policy, "hot_keys: {mode: enforce, threshold: 1}");
    assertThat(degraded(ask(running, "b"))).isEmpty();

    redis.pause();
    assertThat(degraded(ask(running, "b"))).isEqualTo(policy);
    await(() -> degraded(ask(running, "b")).equals(policy) && isOpen(running));
    redis.resume();

    await(() -> degraded(ask(running, "b")).isEmpty());
    await(() -> get(running, "metrics").contains("heatshield_redis_up{redis=\"main\"} 1.0"));
    await(() -> get(running, "readyz").equals("ready\n"));
  }

  @Test
  void start_whileRedisIsAway_isNotReadyBeforeItAnswers() throws Exception {
    redis.kill();

    Running running = serve("local", "dynamic_metadata: true");
    assertThat(get(running, "readyz")).contains("not ready", "redis: has not answered yet");
    assertThat(degraded(ask(running, "a"))).isEqualTo("local");
    redis.restart();

    await(() -> get(running, "readyz").equals("ready\n"));
    await(() -> degraded(ask(running, "b")).isEmpty());
  }

  @Test
  void questions_perSecond_areCountedInTheSecondRedis() throws Exception {
    RedisFixture second = RedisFixture.start();
    toStop.push(second::close);
    Running running =
        serve("local", "per_second_url: 'redis://127.0.0.1:" + second.port() + "'", "");

    ask(running, "s");
    ask(running, "b");

    assertThat(second.command("DBSIZE")).isEqualTo("1");
    assertThat(redis.command("DBSIZE")).isEqualTo("1");
    assertThat(get(running, "metrics")).contains("heatshield_redis_up{redis=\"per_second\"} 1.0");
  }

  @Test
  void questions_forAHotCounter_shareCallsAndAdmitExactlyTheLimit() throws Exception {
    timeout = "5s"; // A busy machine must not refuse a call that was counted.
    List<Running> servers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      servers.add(serve("closed", "hot_keys: {mode: enforce, threshold: 5, flush_window: 5ms}"));
    }
    var threads = new ArrayList<Thread>();
    var admitted = new java.util.concurrent.atomic.AtomicInteger();
    for (int i = 0; i < 20; i++) {
      Running to = servers.get(i % 2);
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
    String metrics = get(servers.get(0), "metrics");
    assertThat(metrics)
        .contains("heatshield_limit_hot_keys 1.0", "heatshield_limit_flight_callers_bucket")
        .containsPattern("heatshield_limit_calls_saved_total [1-9]")
        .containsPattern("heatshield_limit_flight_wait_seconds_count [1-9]");
    assertThat(get(servers.get(0), "api/v1/savings")).contains("coalesce");
  }

  private boolean isOpen(Running running) {
    return get(running, "metrics").contains("heatshield_redis_up{redis=\"main\"} 0.0");
  }

  private Running serve(String policy, String limits) throws Exception {
    return serve(policy, "", limits);
  }

  private Running serve(String policy, String redisSetting, String limits) throws Exception {
    int number = toStop.size();
    Path file =
        Files.writeString(
            folder.resolve(number + ".yaml"),
            "server: { http: '127.0.0.1:0', grpc: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir: '"
                + folder.resolve("state" + number)
                + "' }\nredis: { url: 'redis://127.0.0.1:"
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
                + " }\n");
    var loader = new ConfigLoader(Map.of());
    LoadResult.Valid valid = (LoadResult.Valid) loader.load(file);
    HeatshieldServer started = HeatshieldServer.start(loader, valid.configuration(), file);
    Address address = started.grpc().orElseThrow();
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(address.host(), address.port()).usePlaintext().build();
    toStop.push(() -> started.stop(Duration.ofSeconds(5)));
    toStop.push(channel::shutdownNow);
    return new Running(started, channel);
  }

  private static RateLimitResponse ask(Running running, String key) {
    return RateLimitServiceGrpc.newBlockingStub(running.channel)
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

  /** Returns by which policy an answer was given; empty if by none. */
  private static String degraded(RateLimitResponse answer) {
    return answer
        .getDynamicMetadata()
        .getFieldsOrDefault("degraded", Value.getDefaultInstance())
        .getStringValue();
  }

  private HttpResponse<String> json(Running running, String key) throws Exception {
    return client.send(
        HttpRequest.newBuilder(running.server.http().resolve("json"))
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"domain\":\"shop\",\"descriptors\":[{\"entries\":[{\"key\":\""
                        + key
                        + "\",\"value\":\"x\"}]}]}"))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private String get(Running running, String path) {
    try {
      return client
          .send(
              HttpRequest.newBuilder(running.server.http().resolve(path)).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  private record Running(HeatshieldServer server, ManagedChannel channel) {}
}
