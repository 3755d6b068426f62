package io.heatshield.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.RateLimitOverride;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.heatshield.limit.BackendUnavailableException;
import io.heatshield.limit.memory.MemoryCounters;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The gRPC part of the catalogue of bad input: each has one named outcome, and the door goes on.
 */
@Timeout(120)
class GrpcBadInputTest {
  private static final int GOAWAY = 7;
  private static final int FRAME_BYTES = 16 << 10;

  @Test
  void emptyDomain_isInvalidArgumentThatNamesTheField() throws Exception {
    assertRefused(
        RateLimitRequest.newBuilder().addDescriptors(OpenGrpcDoor.descriptor("a", "b")).build(),
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
  void hitsToTakeBack_areInvalidArgumentInsteadOfHits() throws Exception {
    var isNegativeHits = UnknownFieldSet.Field.newBuilder().addVarint(1).build();
    assertRefused(
        RateLimitRequest.newBuilder()
            .setDomain("shop")
            .addDescriptors(
                OpenGrpcDoor.descriptor("user", "x")
                    .setUnknownFields(
                        UnknownFieldSet.newBuilder().addField(4, isNegativeHits).build()))
            .build(),
        Status.Code.INVALID_ARGUMENT,
        "descriptors.is_negative_hits: hits cannot be taken back here");
  }

  @Test
  void overrideWithoutUnit_isInvalidArgumentThatNamesTheField() throws Exception {
    assertRefused(
        RateLimitRequest.newBuilder()
            .setDomain("shop")
            .addDescriptors(
                OpenGrpcDoor.descriptor("a", "b")
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
                Collections.nCopies(10_000, OpenGrpcDoor.descriptor("user", "x").build()))
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
        OpenGrpcDoor.question("user", "x".repeat(5 << 20)),
        Status.Code.RESOURCE_EXHAUSTED,
        "262144");
  }

  @ParameterizedTest
  @ValueSource(ints = {9 << 10, 64 << 10})
  void metadata_pastTheLimit_isResourceExhausted(int bytes) throws Exception {
    try (var open = new OpenGrpcDoor()) {
      assertThatThrownBy(() -> callWith(open, "anna", bytes))
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              refusal ->
                  assertThat(refusal.getStatus().getCode())
                      .isEqualTo(Status.Code.RESOURCE_EXHAUSTED));

      assertThat(callWith(open, "bert", 7 << 10).getOverallCode()).isEqualTo(Code.OK);
      assertUncounted(open);
      assertThat(open.door.counters().connections()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {20 << 10, 290 << 10})
  void metadata_ofACall_neverEndsTheConnection(int bytes) throws Exception {
    try (var open = new OpenGrpcDoor();
        var raw = new RawHttp2(open.door.address().getPort())) {
      raw.headers(1, "1H", bytes);
      raw.ping();
      raw.awaitPong();
      raw.headers(3, "1H", 0);
      raw.message(3, OpenGrpcDoor.question("user", "bert").toByteArray());
      raw.ping();
      raw.awaitPong();

      assertThat(open.door.counters().connections()).isEqualTo(1);
    }
  }

  @Test
  void largestHits_saturateOverTheLimitAndNeverWrap() throws Exception {
    try (var open = new OpenGrpcDoor()) {
      RateLimitRequest question =
          OpenGrpcDoor.question("user", "anna").toBuilder().setHitsAddend(-1).build();

      for (int i = 0; i < 3; i++) {
        RateLimitResponse answer = open.stub().shouldRateLimit(question);

        assertThat(answer.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(answer.getStatuses(0).getLimitRemaining()).isZero();
      }
    }
  }

  @Test
  void deadlineAlreadyPast_isDeadlineExceededAndNotCounted() throws Exception {
    try (var open = new OpenGrpcDoor();
        var raw = new RawHttp2(open.door.address().getPort())) {
      raw.headers(1, "1n");
      raw.message(1, OpenGrpcDoor.question("user", "anna").toByteArray());
      raw.ping();
      raw.awaitPong();

      assertUncounted(open);
    }
  }

  @Test
  void backendThatFails_isUnavailable() throws Exception {
    try (var open =
        new OpenGrpcDoor(
            (key, limit, hits, clock, sink, slot) ->
                sink.failed(slot, new BackendUnavailableException("counters cannot be reached")),
            null,
            GrpcLimits.defaults())) {
      assertStatus(
          open,
          OpenGrpcDoor.question("user", "anna"),
          Status.Code.UNAVAILABLE,
          "counters cannot be reached");
    }
  }

  @Test
  void rapidResets_endTheConnectionWithGoaway() throws Exception {
    try (var open = new OpenGrpcDoor();
        var raw = new RawHttp2(open.door.address().getPort())) {
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
    try (var open = new OpenGrpcDoor();
        var raw = new RawHttp2(open.door.address().getPort())) {
      raw.frame(6, 0, 0, new byte[3]);

      assertThat(raw.readsUntil(GOAWAY)).isTrue();
      assertUncounted(open);
    }
  }

  @Test
  void connectionsPastTheCap_areClosedAndCounted() throws Exception {
    try (var open =
            new OpenGrpcDoor(
                new MemoryCounters(10, () -> 0),
                null,
                GrpcLimits.defaults().withMaxConnections(1));
        var first = new RawHttp2(open.door.address().getPort())) {
      first.ping();
      first.awaitPong();

      try (var refused =
          new Socket(InetAddress.getLoopbackAddress(), open.door.address().getPort())) {
        assertThat(refused.getInputStream().read()).isEqualTo(-1);
      }

      assertThat(open.door.counters().rejectedConnections()).isEqualTo(1);
      assertThat(open.door.counters().connections()).isEqualTo(1);
    }
  }

  private static RateLimitResponse callWith(OpenGrpcDoor open, String user, int bytes) {
    var metadata = new Metadata();
    metadata.put(Metadata.Key.of("x-large", Metadata.ASCII_STRING_MARSHALLER), "~".repeat(bytes));
    return open.stub()
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata))
        .shouldRateLimit(OpenGrpcDoor.question("user", user));
  }

  private static void assertRefused(RateLimitRequest question, Status.Code code, String sentence)
      throws Exception {
    try (var open = new OpenGrpcDoor()) {
      assertStatus(open, question, code, sentence);
      assertUncounted(open);
    }
  }

  private static void assertStatus(
      OpenGrpcDoor open, RateLimitRequest question, Status.Code code, String sentence) {
    assertThatThrownBy(() -> open.stub().shouldRateLimit(question))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            refusal -> {
              assertThat(refusal.getStatus().getCode()).isEqualTo(code);
              assertThat(refusal.getStatus().getDescription()).contains(sentence);
            });
  }

  /** Checks that the door goes on, and that nothing was counted for the user anna so far. */
  private static void assertUncounted(OpenGrpcDoor open) {
    assertThat(
            open.stub()
                .shouldRateLimit(OpenGrpcDoor.question("user", "anna"))
                .getStatuses(0)
                .getLimitRemaining())
        .isEqualTo(2);
  }

  /** A client that says exactly what it is told, frame by frame. */
  private static final class RawHttp2 implements AutoCloseable {
    private final Socket socket;
    private final DataOutputStream out;
    private final DataInputStream in;

    RawHttp2(int port) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      out = new DataOutputStream(socket.getOutputStream());
      in = new DataInputStream(socket.getInputStream());
      out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      frame(4, 0, 0, new byte[0]);
    }

    void frame(int type, int flags, int stream, byte[] payload) throws IOException {
      byte[] frame = new byte[9 + payload.length];
      frame[0] = (byte) (payload.length >> 16);
      frame[1] = (byte) (payload.length >> 8);
      frame[2] = (byte) payload.length;
      frame[3] = (byte) type;
      frame[4] = (byte) flags;
      frame[5] = (byte) (stream >> 24);
      frame[6] = (byte) (stream >> 16);
      frame[7] = (byte) (stream >> 8);
      frame[8] = (byte) stream;
      System.arraycopy(payload, 0, frame, 9, payload.length);
      out.write(frame);
    }

    /** Opens a call of ShouldRateLimit, with literal headers that no table remembers. */
    void headers(int stream, String timeout) throws IOException {
      headers(stream, timeout, 0);
    }

    /** Opens a call with as many bytes of metadata of its own, in as many frames as that takes. */
    void headers(int stream, String timeout, int more) throws IOException {
      var headers = new ByteArrayOutputStream();
      literal(headers, ":method", "POST");
      literal(headers, ":scheme", "http");
      literal(headers, ":path", "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit");
      literal(headers, ":authority", "localhost");
      literal(headers, "content-type", "application/grpc");
      literal(headers, "te", "trailers");
      literal(headers, "grpc-timeout", timeout);
      if (more > 0) {
        literal(headers, "x-large", "x".repeat(more));
      }
      byte[] block = headers.toByteArray();
      for (int from = 0; from < block.length; from += FRAME_BYTES) {
        int to = Math.min(block.length, from + FRAME_BYTES);
        boolean last = to == block.length;
        frame(from == 0 ? 1 : 9, last ? 4 : 0, stream, Arrays.copyOfRange(block, from, to));
      }
    }

    void message(int stream, byte[] message) throws IOException {
      byte[] payload = new byte[5 + message.length];
      payload[3] = (byte) (message.length >> 8);
      payload[4] = (byte) message.length;
      System.arraycopy(message, 0, payload, 5, message.length);
      frame(0, 1, stream, payload);
    }

    void ping() throws IOException {
      frame(6, 0, 0, "heatshld".getBytes(StandardCharsets.US_ASCII));
    }

    /** Begins a call and gives it up; returns false once the door has closed. */
    boolean tryReset(int stream) {
      try {
        headers(stream, "1H");
        frame(3, 0, stream, new byte[] {0, 0, 0, 8});
        return true;
      } catch (IOException e) {
        return false;
      }
    }

    void awaitPong() throws IOException {
      assertThat(readsUntil(6)).isTrue();
    }

    /** Reads frames until one of a type, or the end. */
    boolean readsUntil(int type) {
      try {
        while (true) {
          int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
          int kind = in.readUnsignedByte();
          in.skipNBytes(5);
          in.skipNBytes(length);
          if (kind == type) {
            return true;
          }
        }
      } catch (IOException e) {
        return false;
      }
    }

    private static void literal(ByteArrayOutputStream out, String name, String value) {
      out.write(0);
      out.write(name.length());
      out.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
      int length = value.length();
      if (length < 127) {
        out.write(length);
      } else {
        out.write(127);
        for (length -= 127; length >= 128; length >>= 7) {
          out.write((length & 127) | 128);
        }
        out.write(length);
      }
      out.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
