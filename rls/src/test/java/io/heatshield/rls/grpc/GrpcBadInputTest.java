package io.heatshield.rls.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.RateLimitOverride;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.memory.MemoryCounters;
import io.heatshield.testkit.client.RawHttp2;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input to the gRPC port: each has one defined outcome, and the port keeps working. */
@Timeout(120)
class GrpcBadInputTest {
  private static final int GOAWAY = 7;

  @Test
  void emptyDomain_isInvalidArgumentThatNamesTheField() throws Exception {
    assertRefused(
        RateLimitRequest.newBuilder().addDescriptors(GrpcPortFixture.descriptor("a", "b")).build(),
        Status.Code.INVALID_ARGUMENT,
        "domain: rate limit domain must not be empty");
  }

  @Test
  void noDescriptors_isInvalidArgumentThatNamesTheField() throws Exception {
    assertRefused(
        RateLimitRequest.newBuilder().setDomain("shop").build(),
        Status.Code.INVALID_ARGUMENT,
        "descriptors: rate limit descriptor list must not be empty");
  }

  @Test
  void negativeHits_areInvalidArgument() throws Exception {
    var isNegativeHits = UnknownFieldSet.Field.newBuilder().addVarint(1).build();
    assertRefused(
        RateLimitRequest.newBuilder()
            .setDomain("shop")
            .addDescriptors(
                GrpcPortFixture.descriptor("user", "x")
                    .setUnknownFields(
                        UnknownFieldSet.newBuilder().addField(4, isNegativeHits).build()))
            .build(),
        Status.Code.INVALID_ARGUMENT,
        "descriptors.is_negative_hits: is not supported: hits cannot be taken back");
  }

  @Test
  void overrideWithoutUnit_isInvalidArgumentThatNamesTheField() throws Exception {
    assertRefused(
        RateLimitRequest.newBuilder()
            .setDomain("shop")
            .addDescriptors(
                GrpcPortFixture.descriptor("a", "b")
                    .setLimit(RateLimitOverride.newBuilder().setRequestsPerUnit(1)))
            .build(),
        Status.Code.INVALID_ARGUMENT,
        "descriptors.limit.unit: ");
  }

  @Test
  void tenThousandDescriptors_areRefusedWithTheLimit() throws Exception {
    assertRefused(
        RateLimitRequest.newBuilder()
            .setDomain("shop")
            .addAllDescriptors(
                Collections.nCopies(10_000, GrpcPortFixture.descriptor("user", "x").build()))
            .build(),
        Status.Code.INVALID_ARGUMENT,
        "at most 1000 descriptors, but there are 10000");
  }

  @Test
  void invalidUtf8_isInvalidArgument() throws Exception {
    RateLimitRequest broken =
        RateLimitRequest.newBuilder()
            .setUnknownFields(
                UnknownFieldSet.newBuilder()
                    .addField(
                        1,
                        UnknownFieldSet.Field.newBuilder()
                            .addLengthDelimited(ByteString.copyFrom(new byte[] {(byte) 0xff}))
                            .build())
                    .build())
            .build();

    assertRefused(broken, Status.Code.INVALID_ARGUMENT, "UTF-8");
  }

  @Test
  void fiveMebibytes_areResourceExhausted() throws Exception {
    assertRefused(
        GrpcPortFixture.question("user", "x".repeat(5 << 20)),
        Status.Code.RESOURCE_EXHAUSTED,
        "262144");
  }

  @ParameterizedTest
  @ValueSource(ints = {9 << 10, 64 << 10})
  void metadata_pastTheLimit_isResourceExhausted(int bytes) throws Exception {
    try (var open = new GrpcPortFixture()) {
      assertThatThrownBy(() -> callWith(open, "anna", bytes))
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              refusal ->
                  assertThat(refusal.getStatus().getCode())
                      .isEqualTo(Status.Code.RESOURCE_EXHAUSTED));

      assertThat(callWith(open, "bert", 7 << 10).getOverallCode()).isEqualTo(Code.OK);
      assertUncounted(open);
      assertThat(open.port.counters().connections()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {20 << 10, 290 << 10})
  void metadata_ofACall_neverEndsTheConnection(int bytes) throws Exception {
    try (var open = new GrpcPortFixture();
        var raw = connect(open)) {
      raw.headers(1, "1H", bytes);
      raw.ping();
      raw.awaitPong();
      raw.headers(3, "1H", 0);
      raw.message(3, GrpcPortFixture.question("user", "bert").toByteArray());
      raw.ping();
      raw.awaitPong();

      assertThat(open.port.counters().connections()).isEqualTo(1);
    }
  }

  @Test
  void largestHits_saturateOverTheLimitAndNeverWrap() throws Exception {
    try (var open = new GrpcPortFixture()) {
      RateLimitRequest question =
          GrpcPortFixture.question("user", "anna").toBuilder().setHitsAddend(-1).build();

      for (int i = 0; i < 3; i++) {
        RateLimitResponse answer = open.stub().shouldRateLimit(question);

        assertThat(answer.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(answer.getStatuses(0).getLimitRemaining()).isZero();
      }
    }
  }

  @Test
  void deadlineAlreadyPast_isDeadlineExceededAndNotCounted() throws Exception {
    try (var open = new GrpcPortFixture();
        var raw = connect(open)) {
      raw.headers(1, "1n");
      raw.message(1, GrpcPortFixture.question("user", "anna").toByteArray());
      raw.ping();
      raw.awaitPong();

      assertUncounted(open);
    }
  }

  @Test
  void backendThatFails_isUnavailable() throws Exception {
    try (var open =
        new GrpcPortFixture(
            (key, limit, hits, clock, sink, slot) ->
                sink.failed(slot, new BackendUnavailableException("counters cannot be reached")),
            null,
            GrpcLimits.defaults())) {
      assertStatus(
          open,
          GrpcPortFixture.question("user", "anna"),
          Status.Code.UNAVAILABLE,
          "counters cannot be reached");
    }
  }

  @Test
  void rapidResets_endTheConnectionWithGoaway() throws Exception {
    try (var open = new GrpcPortFixture();
        var raw = connect(open)) {
      for (int stream = 1; stream < 2 * 10_100; stream += 2) {
        if (!raw.tryReset(stream)) {
          break;
        }
      }

      assertThat(raw.readsUntil(GOAWAY)).isTrue();
      assertUncounted(open);
    }
  }

  @Test
  void malformedControlFrame_endsTheConnectionWithGoaway() throws Exception {
    try (var open = new GrpcPortFixture();
        var raw = connect(open)) {
      raw.frame(6, 0, 0, new byte[3]);

      assertThat(raw.readsUntil(GOAWAY)).isTrue();
      assertUncounted(open);
    }
  }

  @Test
  void connectionsPastTheCap_areClosedAndCounted() throws Exception {
    try (var open =
            new GrpcPortFixture(
                new MemoryCounters(10, () -> 0),
                null,
                GrpcLimits.defaults().withMaxConnections(1));
        var first = connect(open)) {
      first.ping();
      first.awaitPong();

      try (var refused =
          new Socket(InetAddress.getLoopbackAddress(), open.port.address().getPort())) {
        assertThat(refused.getInputStream().read()).isEqualTo(-1);
      }

      assertThat(open.port.counters().rejectedConnections()).isEqualTo(1);
      assertThat(open.port.counters().connections()).isEqualTo(1);
    }
  }

  private static RawHttp2 connect(GrpcPortFixture open) throws IOException {
    return new RawHttp2(
        open.port.address().getPort(),
        "/" + RateLimitServiceGrpc.getShouldRateLimitMethod().getFullMethodName());
  }

  private static RateLimitResponse callWith(GrpcPortFixture open, String user, int bytes) {
    var metadata = new Metadata();
    metadata.put(Metadata.Key.of("x-large", Metadata.ASCII_STRING_MARSHALLER), "~".repeat(bytes));
    return open.stub()
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata))
        .shouldRateLimit(GrpcPortFixture.question("user", user));
  }

  private static void assertRefused(RateLimitRequest question, Status.Code code, String sentence)
      throws Exception {
    try (var open = new GrpcPortFixture()) {
      assertStatus(open, question, code, sentence);
      assertUncounted(open);
    }
  }

  private static void assertStatus(
      GrpcPortFixture open, RateLimitRequest question, Status.Code code, String sentence) {
    assertThatThrownBy(() -> open.stub().shouldRateLimit(question))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            refusal -> {
              assertThat(refusal.getStatus().getCode()).isEqualTo(code);
              assertThat(refusal.getStatus().getDescription()).contains(sentence);
            });
  }

  /** Checks that the port still works, and that nothing was counted for the user anna so far. */
  private static void assertUncounted(GrpcPortFixture open) {
    assertThat(
            open.stub()
                .shouldRateLimit(GrpcPortFixture.question("user", "anna"))
                .getStatuses(0)
                .getLimitRemaining())
        .isEqualTo(2);
  }
}
