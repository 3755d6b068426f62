package io.heatshield.rls.grpc;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.memory.MemoryCounters;
import io.heatshield.limit.rule.LimiterOptions;
import io.heatshield.limit.rule.RuleLimiter;
import io.heatshield.limit.yaml.LoadResult;
import io.heatshield.limit.yaml.RuleFiles;
import io.heatshield.rls.HeaderNames;
import io.heatshield.rls.LimitService;
import io.heatshield.runtime.net.AddressTakenException;
import io.heatshield.runtime.net.Transport;
import io.heatshield.runtime.tls.TlsMaterial;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A gRPC port with a few rules, on a free TCP port, with a fixed clock. */
final class GrpcPortFixture implements AutoCloseable {
  private static final String RULES =
      """
      domain: shop
      descriptors:
        - key: user
          rate_limit: { unit: minute, requests_per_unit: 3, name: per-user }
        - key: free
          rate_limit: { unlimited: true }
      """;

  final Transport transport = new Transport(1);
  final LimitService limits;
  final GrpcPort port;
  private @Nullable ManagedChannel channel;

  GrpcPortFixture() throws AddressTakenException {
    this(new MemoryCounters(1000, () -> 0), null, GrpcLimits.defaults());
  }

  GrpcPortFixture(CounterBackend backend, @Nullable TlsMaterial tls, GrpcLimits bounds)
      throws AddressTakenException {
    limits =
        new LimitService(
            RuleLimiter.over(backend)
                .clockMillis(() -> 0)
                .options(new LimiterOptions(0.8f, false, false, true, false, false))
                .rules(
                    ((LoadResult.Valid)
                            RuleFiles.load("rules.yaml", RULES.getBytes(StandardCharsets.UTF_8)))
                        .rules())
                .build(),
            new HeaderNames("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"));
    port =
        new GrpcPort(
            transport,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            limits,
            tls,
            bounds,
            new GrpcCounters());
    port.start();
    port.serving(true);
  }

  /** Returns a channel to the port, without TLS. */
  ManagedChannel channel() {
    if (channel == null) {
      channel = NettyChannelBuilder.forAddress(port.address()).usePlaintext().build();
    }
    return channel;
  }

  RateLimitServiceGrpc.RateLimitServiceBlockingStub stub() {
    return RateLimitServiceGrpc.newBlockingStub(channel()).withDeadlineAfter(30, TimeUnit.SECONDS);
  }

  static RateLimitRequest question(String key, String value) {
    return RateLimitRequest.newBuilder()
        .setDomain("shop")
        .addDescriptors(descriptor(key, value))
        .build();
  }

  static RateLimitDescriptor.Builder descriptor(String key, String value) {
    return RateLimitDescriptor.newBuilder()
        .addEntries(RateLimitDescriptor.Entry.newBuilder().setKey(key).setValue(value));
  }

  @Override
  public void close() {
    if (channel != null) {
      channel.shutdownNow();
    }
    port.stop(Duration.ofSeconds(5));
    transport.stop(Duration.ofSeconds(5));
  }
}
