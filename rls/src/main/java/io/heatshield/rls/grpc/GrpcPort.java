package io.heatshield.rls.grpc;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionService;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.heatshield.rls.LimitService;
import io.heatshield.runtime.net.AddressTakenException;
import io.heatshield.runtime.net.Transport;
import io.heatshield.runtime.tls.TlsMaterial;
import io.netty.channel.ServerChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The gRPC server for Envoy: {@code envoy.service.ratelimit.v3.RateLimitService}, {@code
 * grpc.health.v1} under the name {@value #HEALTH_NAME}, and reflection in v1 and v1alpha, with or
 * without TLS.
 *
 * <p>It runs on the event loops of the transport and has no threads of its own. It is started once
 * and stopped once. {@link #start} and {@link #stop} block, so they must not be called by the
 * transport's threads; any thread may call the other methods.
 */
public final class GrpcPort {
  /** The name of the service in {@code grpc.health.v1}, as Envoy's users expect it. */
  public static final String HEALTH_NAME = "ratelimit";

  private static final Duration PERMITTED_PINGS = Duration.ofSeconds(10);
  private static final Duration LAST_CLOSES = Duration.ofSeconds(1);

  private final InetSocketAddress wanted;
  private final boolean tls;
  private final GrpcCounters counters;
  private final HealthStatusManager health = new HealthStatusManager();
  private final Server server;

  /**
   * Creates a server that does not listen yet.
   *
   * @param tls the certificate, or null for plaintext
   */
  public GrpcPort(
      Transport transport,
      InetSocketAddress address,
      LimitService limits,
      @Nullable TlsMaterial tls,
      GrpcLimits bounds,
      GrpcCounters counters) {
    this.wanted = address;
    this.tls = tls != null;
    this.counters = counters;
    var cap = new ConnectionCap(bounds.maxConnections(), counters);
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(address)
            .bossEventLoopGroup(transport.acceptors())
            .workerEventLoopGroup(transport.workers())
            .channelFactory(
                () -> {
                  ServerChannel channel = transport.newListener();
                  channel.pipeline().addFirst(cap);
                  return channel;
                })
            .directExecutor()
            .maxInboundMessageSize(bounds.maxMessageBytes())
            .maxInboundMetadataSize(GrpcLimits.MAX_WIRE_METADATA_BYTES)
            .intercept(new MetadataLimit(bounds.maxMetadataBytes()))
            .maxConcurrentCallsPerConnection(bounds.maxCallsPerConnection())
            .maxRstFramesPerWindow(bounds.maxResets(), (int) bounds.resetWindow().toSeconds())
            .handshakeTimeout(bounds.handshakeTimeout().toNanos(), TimeUnit.NANOSECONDS)
            .keepAliveTime(bounds.keepAlive().toNanos(), TimeUnit.NANOSECONDS)
            .permitKeepAliveTime(PERMITTED_PINGS.toNanos(), TimeUnit.NANOSECONDS)
            .permitKeepAliveWithoutCalls(true)
            .addService(calls(limits, transport))
            .addService(health.getHealthService())
            .addService(ProtoReflectionServiceV1.newInstance())
            .addService(olderReflection());
    if (tls != null) {
      builder.sslContext(tls.http2());
    }
    this.server = builder.build();
    serving(false);
  }

  private static ServerServiceDefinition calls(LimitService limits, Transport transport) {
    ServerServiceDefinition calls = new RateLimitCalls(limits, transport).definition();
    return limits.isTraced() ? ServerInterceptors.intercept(calls, new TraceHeaders()) : calls;
  }

  /**
   * Starts to listen.
   *
   * @throws AddressTakenException if the address cannot be bound
   */
  public void start() throws AddressTakenException {
    try {
      server.start();
    } catch (IOException e) {
      Throwable cause = e.getCause();
      throw new AddressTakenException(wanted, cause == null ? e : cause);
    }
  }

  /** Sets the status of the health service. */
  public void serving(boolean ready) {
    ServingStatus status = ready ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    for (String name :
        List.of(
            HealthStatusManager.SERVICE_NAME_ALL_SERVICES,
            HEALTH_NAME,
            RateLimitServiceGrpc.SERVICE_NAME)) {
      health.setStatus(name, status);
    }
  }

  /**
   * Returns the address that the server listens on, with the real port if 0 was configured.
   *
   * @throws IllegalStateException if it does not listen
   */
  public InetSocketAddress address() {
    for (SocketAddress listening : server.getListenSockets()) {
      if (listening instanceof InetSocketAddress address) {
        return address;
      }
    }
    throw new IllegalStateException("the gRPC server is not started");
  }

  /** Returns whether clients must use TLS. */
  public boolean isTls() {
    return tls;
  }

  /** Returns the counters of the server. */
  public GrpcCounters counters() {
    return counters;
  }

  /**
   * Stops the server: health says not serving, no new connections or calls are accepted, calls in
   * progress are answered until the deadline, and the remaining ones are cancelled.
   *
   * @return whether every call in progress was answered
   */
  public boolean stop(Duration deadline) {
    health.enterTerminalState();
    server.shutdown();
    if (awaitEnd(deadline)) {
      return true;
    }
    server.shutdownNow();
    awaitEnd(LAST_CLOSES);
    return false;
  }

  /** Returns reflection in v1alpha, the only version that ghz and older tools know. */
  @SuppressWarnings("deprecation")
  private static BindableService olderReflection() {
    return ProtoReflectionService.newInstance();
  }

  private boolean awaitEnd(Duration deadline) {
    try {
      return server.awaitTermination(deadline.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
