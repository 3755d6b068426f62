package io.heatshield.bench.grpc;

import com.google.protobuf.Duration;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.heatshield.runtime.net.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;

/**
 * The rival: the same service on the same event loops. Its answers have the same fields as ours, a
 * status with limit, remaining and reset for each descriptor, but are constants.
 */
final class EmptyPort implements AutoCloseable {
  private final Transport transport = new Transport(1);
  private final Server server;

  EmptyPort() throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .bossEventLoopGroup(transport.acceptors())
            .workerEventLoopGroup(transport.workers())
            .channelFactory(transport::newListener)
            .directExecutor()
            .addService(new Empty())
            .build()
            .start();
  }

  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort());
  }

  @Override
  public void close() {
    server.shutdownNow();
    transport.stop(java.time.Duration.ofSeconds(1));
  }

  private static final class Empty extends RateLimitServiceGrpc.RateLimitServiceImplBase {
    private static final int MOST = 16;

    private final RateLimitResponse[] answers = new RateLimitResponse[MOST + 1];

    Empty() {
      RateLimitResponse.DescriptorStatus.Builder status =
          RateLimitResponse.DescriptorStatus.newBuilder()
              .setCode(RateLimitResponse.Code.OK)
              .setCurrentLimit(
                  RateLimitResponse.RateLimit.newBuilder()
                      .setRequestsPerUnit((int) 4_000_000_000L)
                      .setUnit(RateLimitResponse.RateLimit.Unit.HOUR))
              .setLimitRemaining((int) 3_999_000_000L)
              .setDurationUntilReset(Duration.newBuilder().setSeconds(1800));
      for (int i = 0; i <= MOST; i++) {
        answers[i] =
            RateLimitResponse.newBuilder()
                .setOverallCode(RateLimitResponse.Code.OK)
                .addAllStatuses(Collections.nCopies(i, status.build()))
                .build();
      }
    }

    @Override
    public void shouldRateLimit(
        RateLimitRequest question, StreamObserver<RateLimitResponse> caller) {
      caller.onNext(answers[question.getDescriptorsCount()]);
      caller.onCompleted();
    }
  }
}
