package io.heatshield.rls.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.UInt64Value;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.RateLimitOverride;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterSink;
import io.heatshield.runtime.net.AddressTakenException;
import io.heatshield.runtime.tls.TlsFiles;
import io.heatshield.runtime.tls.TlsMaterial;
import io.heatshield.testkit.tls.SelfSignedCertificate;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class GrpcPortTest {

  @Test
  void shouldRateLimit_upToAndOverTheLimit_returnsCodeLimitRemainingAndReset() throws Exception {
    try (var open = new GrpcPortFixture()) {
      RateLimitRequest question = GrpcPortFixture.question("user", "anna");

      RateLimitResponse first = open.stub().shouldRateLimit(question);
      open.stub().shouldRateLimit(question);
      RateLimitResponse last = open.stub().shouldRateLimit(question);
      RateLimitResponse over = open.stub().shouldRateLimit(question);

      RateLimitResponse.DescriptorStatus status = first.getStatuses(0);
      assertThat(first.getOverallCode()).isEqualTo(Code.OK);
      assertThat(status.getCurrentLimit())
          .isEqualTo(
              RateLimit.newBuilder()
                  .setName("per-user")
                  .setRequestsPerUnit(3)
                  .setUnit(RateLimit.Unit.MINUTE)
                  .build());
      assertThat(status.getLimitRemaining()).isEqualTo(2);
      assertThat(status.getDurationUntilReset().getSeconds()).isEqualTo(60);
      assertThat(first.getResponseHeadersToAddList())
          .extracting(header -> header.getKey() + "=" + header.getValue())
          .containsExactly("RateLimit-Limit=3", "RateLimit-Remaining=2", "RateLimit-Reset=60");
      assertThat(last.getOverallCode()).isEqualTo(Code.OK);
      assertThat(last.getStatuses(0).getLimitRemaining()).isZero();
      assertThat(over.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
      assertThat(over.getStatuses(0).getCode()).isEqualTo(Code.OVER_LIMIT);
    }
  }

  @Test
  void shouldRateLimit_noRuleOrUnlimited_isOkWithoutALimit() throws Exception {
    try (var open = new GrpcPortFixture()) {
      RateLimitResponse.DescriptorStatus none =
          open.stub().shouldRateLimit(GrpcPortFixture.question("unknown", "x")).getStatuses(0);
      RateLimitResponse.DescriptorStatus unlimited =
          open.stub().shouldRateLimit(GrpcPortFixture.question("free", "x")).getStatuses(0);

      assertThat(none)
          .isEqualTo(RateLimitResponse.DescriptorStatus.newBuilder().setCode(Code.OK).build());
      assertThat(unlimited.hasCurrentLimit()).isFalse();
      assertThat(Integer.toUnsignedLong(unlimited.getLimitRemaining())).isEqualTo(4294967295L);
    }
  }

  @Test
  void shouldRateLimit_overrideAndOwnHits_areApplied() throws Exception {
    try (var open = new GrpcPortFixture()) {
      RateLimitRequest question =
          RateLimitRequest.newBuilder()
              .setDomain("shop")
              .addDescriptors(
                  GrpcPortFixture.descriptor("user", "bob")
                      .setLimit(
                          RateLimitOverride.newBuilder()
                              .setRequestsPerUnit(10)
                              .setUnit(RateLimitUnit.HOUR))
                      .setHitsAddend(UInt64Value.of(4)))
              .build();

      RateLimitResponse.DescriptorStatus status =
          open.stub().shouldRateLimit(question).getStatuses(0);

      assertThat(status.getCurrentLimit().getRequestsPerUnit()).isEqualTo(10);
      assertThat(status.getCurrentLimit().getUnit()).isEqualTo(RateLimit.Unit.HOUR);
      assertThat(status.getLimitRemaining()).isEqualTo(6);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, SECOND", "2, MINUTE", "3, HOUR", "4, DAY", "5, MONTH", "6, YEAR", "7, WEEK"})
  void shouldRateLimit_overrideOfAnyUnit_isTakenByItsNumber(int number, RateLimit.Unit unit)
      throws Exception {
    try (var open = new GrpcPortFixture()) {
      RateLimitOverride.Builder limit =
          RateLimitOverride.newBuilder().setRequestsPerUnit(10).setUnitValue(number);

      RateLimitResponse.DescriptorStatus status =
          open.stub()
              .shouldRateLimit(
                  RateLimitRequest.newBuilder()
                      .setDomain("shop")
                      .addDescriptors(GrpcPortFixture.descriptor("user", "bob").setLimit(limit))
                      .build())
              .getStatuses(0);

      assertThat(status.getCurrentLimit().getUnit()).isEqualTo(unit);
      assertThat(status.getLimitRemaining()).isEqualTo(9);
    }
  }

  @Test
  void shouldRateLimit_descriptorWithoutEntries_isOkWithoutALimit() throws Exception {
    try (var open = new GrpcPortFixture()) {
      RateLimitResponse answer =
          open.stub()
              .shouldRateLimit(
                  RateLimitRequest.newBuilder()
                      .setDomain("shop")
                      .addDescriptors(RateLimitDescriptor.getDefaultInstance())
                      .build());

      assertThat(answer)
          .isEqualTo(
              RateLimitResponse.newBuilder()
                  .setOverallCode(Code.OK)
                  .addStatuses(
                      RateLimitResponse.DescriptorStatus.newBuilder().setCode(Code.OK).build())
                  .build());
    }
  }

  @Test
  void health_knowsTheNameRatelimit_andFollowsReadiness() throws Exception {
    try (var open = new GrpcPortFixture()) {
      assertThat(health(open, "ratelimit")).isEqualTo(ServingStatus.SERVING);
      assertThat(health(open, "")).isEqualTo(ServingStatus.SERVING);

      open.port.serving(false);

      assertThat(health(open, "ratelimit")).isEqualTo(ServingStatus.NOT_SERVING);
      assertThatThrownBy(() -> health(open, "unknown"))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining("NOT_FOUND");
    }
  }

  @Test
  void reflection_listsTheServices() throws Exception {
    try (var open = new GrpcPortFixture()) {
      var listed = new CompletableFuture<ServerReflectionResponse>();
      StreamObserver<ServerReflectionRequest> requests =
          ServerReflectionGrpc.newStub(open.channel()).serverReflectionInfo(first(listed));

      requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());

      assertThat(listed.get(30, TimeUnit.SECONDS).getListServicesResponse().getServiceList())
          .extracting(ServiceResponse::getName)
          .contains(RateLimitServiceGrpc.SERVICE_NAME, "grpc.health.v1.Health");
      requests.onCompleted();
    }
  }

  @Test
  void reflection_asOlderToolsAsk_listsTheServices() throws Exception {
    try (var open = new GrpcPortFixture()) {
      var listed = new CompletableFuture<io.grpc.reflection.v1alpha.ServerReflectionResponse>();
      StreamObserver<io.grpc.reflection.v1alpha.ServerReflectionRequest> requests =
          io.grpc.reflection.v1alpha.ServerReflectionGrpc.newStub(open.channel())
              .serverReflectionInfo(first(listed));

      requests.onNext(
          io.grpc.reflection.v1alpha.ServerReflectionRequest.newBuilder()
              .setListServices("")
              .build());

      assertThat(listed.get(30, TimeUnit.SECONDS).getListServicesResponse().getServiceList())
          .extracting(io.grpc.reflection.v1alpha.ServiceResponse::getName)
          .contains(RateLimitServiceGrpc.SERVICE_NAME, "grpc.health.v1.Health");
      requests.onCompleted();
    }
  }

  @Test
  void shouldRateLimit_overTls_isAnsweredWithTheCertificateOfTheMoment(@TempDir Path folder)
      throws Exception {
    SelfSignedCertificate first = SelfSignedCertificate.make(folder, "first");
    SelfSignedCertificate second = SelfSignedCertificate.make(folder, "second");
    TlsFiles files = first.write(folder, TlsFiles::of);
    TlsMaterial material = TlsMaterial.load(files);
    try (var open = new GrpcPortFixture(instant(), material, GrpcLimits.defaults())) {
      assertThat(askOverTls(open, files.certificates())).isEqualTo(Code.OK);

      second.write(folder, TlsFiles::of);
      material.refresh();

      assertThat(askOverTls(open, files.certificates())).isEqualTo(Code.OK);
    }
  }

  @Test
  void shouldRateLimit_clientCertificatesDemanded_refusesAllButTheirs(@TempDir Path folder)
      throws Exception {
    SelfSignedCertificate own = SelfSignedCertificate.make(folder, "own");
    SelfSignedCertificate known = SelfSignedCertificate.make(folder, "known");
    TlsFiles files = own.write(folder, TlsFiles::of);
    Path roots = known.writeCertificate(folder.resolve("clients.pem"));
    Path key = known.writeKey(folder.resolve("client-key.pem"));
    Path trusted = files.certificates();
    TlsMaterial material = TlsMaterial.load(files.demanding(roots));
    try (var open = new GrpcPortFixture(instant(), material, GrpcLimits.defaults())) {
      ChannelCredentials with =
          TlsChannelCredentials.newBuilder()
              .trustManager(trusted.toFile())
              .keyManager(roots.toFile(), key.toFile())
              .build();

      assertThat(askOverTls(open, with)).isEqualTo(Code.OK);
      assertThatThrownBy(() -> askOverTls(open, trusted))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining("UNAVAILABLE");
    }
  }

  @Test
  void shouldRateLimit_cancelledWhileTheBackendCounts_doesNotAffectThePort() throws Exception {
    var asked = new CompletableFuture<CounterSink>();
    var counts = new AtomicLong();
    CounterBackend late =
        (key, limit, hits, clock, sink, slot) -> {
          if (counts.addAndGet(hits) > 1 || !asked.complete(sink)) {
            sink.counted(slot, counts.get());
          }
        };
    try (var open = new GrpcPortFixture(late, null, GrpcLimits.defaults())) {
      RateLimitRequest question = GrpcPortFixture.question("user", "anna");
      ListenableFuture<RateLimitResponse> call =
          RateLimitServiceGrpc.newFutureStub(open.channel()).shouldRateLimit(question);
      CounterSink sink = asked.get(30, TimeUnit.SECONDS);

      call.cancel(true);
      RateLimitResponse.DescriptorStatus next =
          open.stub().shouldRateLimit(question).getStatuses(0);
      sink.counted(0, 1);

      assertThat(next.getLimitRemaining()).isEqualTo(1);
      assertThat(open.stub().shouldRateLimit(question).getStatuses(0).getLimitRemaining()).isZero();
      assertThat(open.port.stop(Duration.ofSeconds(30))).isTrue();
    }
  }

  @Test
  void start_takenAddress_namesIt() throws Exception {
    try (var open = new GrpcPortFixture()) {
      InetSocketAddress taken = open.port.address();
      var second =
          new GrpcPort(
              open.transport, taken, open.limits, null, GrpcLimits.defaults(), new GrpcCounters());

      assertThatThrownBy(second::start)
          .isInstanceOf(AddressTakenException.class)
          .hasMessageContaining("127.0.0.1:" + taken.getPort());
      second.stop(Duration.ofSeconds(5));
    }
  }

  @Test
  void stop_callInProgress_isAnsweredFirst() throws Exception {
    var asked = new CompletableFuture<CounterSink>();
    CounterBackend late = (key, limit, hits, clock, sink, slot) -> asked.complete(sink);
    try (var open = new GrpcPortFixture(late, null, GrpcLimits.defaults())) {
      var answered = new CompletableFuture<RateLimitResponse>();
      RateLimitServiceGrpc.newStub(open.channel())
          .shouldRateLimit(GrpcPortFixture.question("user", "anna"), first(answered));
      CounterSink sink = asked.get(30, TimeUnit.SECONDS);

      CompletableFuture<Boolean> stopped =
          CompletableFuture.supplyAsync(() -> open.port.stop(Duration.ofSeconds(30)));
      sink.counted(0, 2);

      assertThat(answered.get(30, TimeUnit.SECONDS).getStatuses(0).getLimitRemaining())
          .isEqualTo(1);
      assertThat(stopped.get(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static CounterBackend instant() {
    return (key, limit, hits, clock, sink, slot) -> sink.counted(slot, hits);
  }

  private static Code askOverTls(GrpcPortFixture open, Path trusted) throws Exception {
    return askOverTls(
        open, TlsChannelCredentials.newBuilder().trustManager(trusted.toFile()).build());
  }

  private static Code askOverTls(GrpcPortFixture open, ChannelCredentials credentials) {
    ManagedChannel channel =
        Grpc.newChannelBuilderForAddress("localhost", open.port.address().getPort(), credentials)
            .build();
    try {
      return RateLimitServiceGrpc.newBlockingStub(channel)
          .withDeadlineAfter(30, TimeUnit.SECONDS)
          .shouldRateLimit(GrpcPortFixture.question("user", "anna"))
          .getOverallCode();
    } finally {
      channel.shutdownNow();
    }
  }

  private static ServingStatus health(GrpcPortFixture open, String service) {
    return HealthGrpc.newBlockingStub(open.channel())
        .withDeadlineAfter(30, TimeUnit.SECONDS)
        .check(HealthCheckRequest.newBuilder().setService(service).build())
        .getStatus();
  }

  /** Returns an observer that completes a future with the first answer. */
  private static <T> StreamObserver<T> first(CompletableFuture<T> future) {
    return new StreamObserver<>() {
      @Override
      public void onNext(T answer) {
        future.complete(answer);
      }

      @Override
      public void onError(Throwable failure) {
        future.completeExceptionally(failure);
      }

      @Override
      public void onCompleted() {
        future.completeExceptionally(new IllegalStateException("no answer"));
      }
    };
  }
}
