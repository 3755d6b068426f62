package io.heatshield.cli.demo.load;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.MoreExecutors;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc.RateLimitServiceFutureStub;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Sends rate-limit calls for one descriptor over gRPC, like Envoy. */
public final class LimitLoad implements Load {
  private static final int MAX_IN_FLIGHT = 512;

  private final ManagedChannel channel;
  private final RateLimitServiceFutureStub stub;
  private final RateLimitRequest request;
  private final LoadMeter meter;
  private final Semaphore room = new Semaphore(MAX_IN_FLIGHT);

  public LimitLoad(int port, String domain, String key, String value, LoadMeter meter) {
    this.meter = meter;
    channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port)
            .usePlaintext()
            .directExecutor()
            .proxyDetector(address -> null)
            .build();
    stub = RateLimitServiceGrpc.newFutureStub(channel);
    request =
        RateLimitRequest.newBuilder()
            .setDomain(domain)
            .addDescriptors(
                RateLimitDescriptor.newBuilder()
                    .addEntries(RateLimitDescriptor.Entry.newBuilder().setKey(key).setValue(value)))
            .build();
  }

  @Override
  public void send(long dueNanos) {
    if (!room.tryAcquire()) {
      meter.skipped();
      return;
    }
    meter.sent();
    Futures.addCallback(
        stub.shouldRateLimit(request),
        new FutureCallback<RateLimitResponse>() {
          @Override
          public void onSuccess(@Nullable RateLimitResponse answer) {
            room.release();
            meter.answered(System.nanoTime() - dueNanos);
          }

          @Override
          public void onFailure(Throwable cause) {
            room.release();
            meter.failed();
          }
        },
        MoreExecutors.directExecutor());
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
