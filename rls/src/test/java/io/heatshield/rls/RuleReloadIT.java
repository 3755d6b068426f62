package io.heatshield.rls;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.netty.NettyChannelBuilder;
import io.heatshield.limit.memory.MemoryCounters;
import io.heatshield.limit.rule.RuleLimiter;
import io.heatshield.rls.grpc.GrpcCounters;
import io.heatshield.rls.grpc.GrpcLimits;
import io.heatshield.rls.grpc.GrpcPort;
import io.heatshield.runtime.net.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class RuleReloadIT {
  private static final int RELOADS = 1000;
  private static final RateLimitRequest QUESTION =
      RateLimitRequest.newBuilder()
          .setDomain("shop")
          .addDescriptors(descriptor("first"))
          .addDescriptors(descriptor("second"))
          .build();

  @Test
  void load_aThousandTimesUnderLoadSomeBroken_everyAnswerComesFromOneWholeConfiguration(
      @TempDir Path folder) throws Exception {
    var transport = new Transport(1);
    RuleLimiter limiter = RuleLimiter.over(new MemoryCounters(100, () -> 0)).build();
    var service = new LimitService(limiter, new HeaderNames("L", "M", "R"));
    var rules = new RuleFolder(folder, false, limiter::rules);
    write(folder, 1);
    assertThat(rules.load()).isEmpty();
    var port =
        new GrpcPort(
            transport,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            service,
            null,
            GrpcLimits.defaults(),
            new GrpcCounters());
    port.start();
    var done = new AtomicBoolean();
    CompletableFuture<Integer> asker = CompletableFuture.supplyAsync(() -> ask(port, done));

    for (int reload = 2; reload <= RELOADS; reload++) {
      write(folder, reload);
      rules.load();
    }
    done.set(true);

    assertThat(asker.get()).isGreaterThan(1);
    assertThat(rules.loads() + rules.errors()).isEqualTo(RELOADS);
    assertThat(rules.errors()).isEqualTo(RELOADS / 3);
    port.stop(Duration.ofSeconds(5));
    transport.stop(Duration.ofSeconds(5));
  }

  /** Sends requests until stopped, and returns the number of configurations that answered. */
  private static int ask(GrpcPort port, AtomicBoolean done) {
    var channel = NettyChannelBuilder.forAddress(port.address()).usePlaintext().build();
    try {
      RateLimitServiceGrpc.RateLimitServiceBlockingStub stub =
          RateLimitServiceGrpc.newBlockingStub(channel);
      int before = 0;
      int different = 0;
      while (!done.get()) {
        RateLimitResponse answer = stub.shouldRateLimit(QUESTION);
        int first = answer.getStatuses(0).getCurrentLimit().getRequestsPerUnit();
        int second = answer.getStatuses(1).getCurrentLimit().getRequestsPerUnit();

        assertThat(second).isEqualTo(first);
        assertThat(first).isGreaterThanOrEqualTo(before);
        different += first == before ? 0 : 1;
        before = first;
      }
      return different;
    } finally {
      channel.shutdownNow();
    }
  }

  private static void write(Path folder, int limit) throws IOException {
    String rule = "{key: %s, rate_limit: {unit: hour, requests_per_unit: " + limit + "}}";
    String end = limit % 3 == 0 ? "{" : "]";
    Files.writeString(
        folder.resolve("shop.yaml"),
        "domain: shop\ndescriptors: ["
            + rule.replace("%s", "first")
            + ", "
            + rule.replace("%s", "second")
            + end);
  }

  private static RateLimitDescriptor descriptor(String key) {
    return RateLimitDescriptor.newBuilder()
        .addEntries(RateLimitDescriptor.Entry.newBuilder().setKey(key).setValue("x"))
        .build();
  }
}
