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
 * The door for Envoy: {@code envoy.service.ratelimit.v3.RateLimitService}, {@code grpc.health.v1}
 * under the name {@value #HEALTH_NAME}, and reflection in v1 and v1alpha, with or without TLS.
 *
 * <p>It runs on the event loops of the transport and on no thread of its own. It is made once,
 * started once and stopped once. {@link #start} and {@link #stop} wait, so they must not run on the
 * transport's threads; any thread may call the rest.
 */
public final class GrpcDoor {
  /** The name under which {@code grpc.health.v1} knows the rate limits, as Envoy's users expect. */
  public static final String HEALTH_NAME = "ratelimit";

  private static final Duration PERMITTED_PINGS = Duration.ofSeconds(10);
  private static final Duration LAST_CLOSES = Duration.ofSeconds(1);

  private final InetSocketAddress wanted;
  private final boolean tls;
  private final GrpcCounters counters;
  private final HealthStatusManager health = new HealthStatusManager();
  private final Server server;

  /**
   * Creates a door that does not listen yet.
   *
   * @param tls the certificate to show, or null for plaintext
   */
  public GrpcDoor(
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
   * @throws AddressTakenException if the address cannot be had
   */
  public void start() throws AddressTakenException {
    try {
      server.start();
    } catch (IOException e) {
      Throwable cause = e.getCause();
      throw new AddressTakenException(wanted, cause == null ? e : cause);
    }
  }

  /** Tells who asks about health whether the server may be sent traffic. */
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
   * Returns the address that the door listens on, with the real port if it was told 0.
   *
   * @throws IllegalStateException if it does not listen
   */
  public InetSocketAddress address() {
    for (SocketAddress listening : server.getListenSockets()) {
      if (listening instanceof InetSocketAddress address) {
        return address;
      }
    }
    throw new IllegalStateException("the door is not open");
  }

  /** Returns whether clients speak TLS to this door. */
  public boolean isTls() {
    return tls;
  }

  /** Returns what the door counts. */
  public GrpcCounters counters() {
    return counters;
  }

  /**
   * Stops: not serving, no new connections or calls, running calls are answered until the deadline,
   * and what is left then is cut off.
   *
   * @return whether every call that ran could finish
   */
  public boolean stop(Duration deadline) {
    health.enterTerminalState();
    server.shutdown();
    if (ended(deadline)) {
      return true;
    }
    server.shutdownNow();
    ended(LAST_CLOSES);
    return false;
  }

  /** Returns reflection as v1alpha, which is all that ghz and older tools ask for. */
  @SuppressWarnings("deprecation")
  private static BindableService olderReflection() {
    return ProtoReflectionService.newInstance();
  }

  private boolean ended(Duration deadline) {
    try {
      return server.awaitTermination(deadline.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
