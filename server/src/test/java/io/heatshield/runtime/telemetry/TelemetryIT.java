package io.heatshield.runtime.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.heatshield.config.value.Address;
import io.heatshield.server.WholeServer;
import io.heatshield.testkit.redis.RedisFixture;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** A whole server against an endpoint that decodes what it sends. */
@Timeout(120)
class TelemetryIT {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00f067aa0ba902b7";
  private static final String QUESTION =
      "{\"domain\":\"web\",\"descriptors\":[{\"entries\":[{\"key\":\"user\",\"value\":\"anna\"}]}]}";

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void limitCalls_withTraceContext_areChildrenOfTheirCallersSpans() throws Exception {
    try (var receiver = new OtlpReceiver()) {
      try (var whole = WholeServer.start(folder, telemetry(receiver, 0))) {
        post(whole, "00-" + TRACE + "-" + PARENT + "-01");
        post(whole, "00-" + TRACE + "-" + PARENT + "-00");
        post(whole, "not-a-context");
        call(whole, "00-" + TRACE + "-" + PARENT + "-01");
      }

      // Not those of the parent that is not sampled, nor of none with a ratio of 0.
      assertThat(receiver.spans()).hasSize(2);
      assertThat(receiver.spans())
          .allSatisfy(
              span -> {
                assertThat(span.getName()).isEqualTo("ShouldRateLimit");
                assertThat(span.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_SERVER);
                assertThat(hex(span.getTraceId().toByteArray())).isEqualTo(TRACE);
                assertThat(hex(span.getParentSpanId().toByteArray())).isEqualTo(PARENT);
                assertThat(span.getStatus().getCode())
                    .isEqualTo(Status.StatusCode.STATUS_CODE_UNSET);
                assertThat(attributes(span))
                    .containsEntry("heatshield.over_limit", "false")
                    .containsEntry("heatshield.descriptors", "1");
                assertThat(span.toString()).doesNotContain("anna");
              });
      assertThat(receiver.spans().stream().map(span -> attributes(span).get("heatshield.protocol")))
          .containsExactlyInAnyOrder("http", "grpc");
    }
  }

  @Test
  void metrics_sentWhenTheServerStops_haveTheNamesAndValuesOfPrometheus() throws Exception {
    Path headers = Files.writeString(folder.resolve("headers"), "Authorization: Bearer abc\n");
    try (var receiver = new OtlpReceiver()) {
      try (var whole =
          WholeServer.start(
              folder,
              "telemetry: { otlp: '"
                  + receiver.url()
                  + "', metrics_interval: 1h, headers_file: '"
                  + headers
                  + "' }")) {
        post(whole, "none");
        post(whole, "none");
      }

      assertThat(receiver.metric("heatshield_build_info").getGauge().getDataPoints(0).getAsDouble())
          .isEqualTo(1);
      assertThat(receiver.metric("heatshield_http_responses").getSum().getIsMonotonic()).isTrue();
      assertThat(receiver.metric("heatshield_limit_answer_seconds").getHistogram().getDataPoints(0))
          .satisfies(
              point -> {
                assertThat(point.getCount()).isEqualTo(2);
                assertThat(point.getBucketCountsList()).hasSize(point.getExplicitBoundsCount() + 1);
                assertThat(point.getBucketCountsList().stream().mapToLong(Long::longValue).sum())
                    .isEqualTo(2);
              });
      assertThat(receiver.metric("jvm_memory_used_bytes").getGauge().getDataPointsList())
          .isNotEmpty();
      assertThat(receiver.authorizations()).isNotEmpty().containsOnly("Bearer abc");
    }
  }

  @Test
  void shieldCommands_sampledAll_areRootsWithoutKeys() throws Exception {
    try (var receiver = new OtlpReceiver();
        var upstream = RedisFixture.start()) {
      try (var whole =
              WholeServer.start(
                  folder,
                  telemetry(receiver, 1),
                  "shield: { url: 'redis://127.0.0.1:" + upstream.port() + "' }");
          var client = new Jedis("127.0.0.1", whole.server().resp().port())) {
        client.set("secret-key", "secret-value");
        assertThat(client.get("secret-key")).isEqualTo("secret-value");
        assertThat(client.lpush("list", "x")).isEqualTo(1);
      }

      Map<String, Span> byName =
          receiver.spans().stream()
              .collect(Collectors.toMap(Span::getName, span -> span, (first, second) -> second));
      assertThat(byName).containsKeys("set", "get", "lpush");
      assertThat(byName.values())
          .allSatisfy(
              span -> {
                assertThat(span.getParentSpanId().isEmpty()).isTrue();
                assertThat(attributes(span)).containsEntry("db.system.name", "redis");
                assertThat(span.toString()).doesNotContain("secret");
              });
      assertThat(attributes(Objects.requireNonNull(byName.get("set"))))
          .containsEntry("heatshield.answered_by", "upstream");
    }
  }

  private static String telemetry(OtlpReceiver receiver, int ratio) {
    return "telemetry: { otlp: '" + receiver.url() + "/', sample_ratio: " + ratio + " }";
  }

  private static void post(WholeServer whole, String traceParent) throws Exception {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(whole.at("/json"))
                    .header("traceparent", traceParent)
                    .POST(HttpRequest.BodyPublishers.ofString(QUESTION))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  private static void call(WholeServer whole, String traceParent) {
    Address address = whole.server().grpc().orElseThrow();
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", address.port()).usePlaintext().build();
    try {
      var headers = new Metadata();
      headers.put(Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER), traceParent);
      RateLimitServiceGrpc.newBlockingStub(channel)
          .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
          .shouldRateLimit(
              RateLimitRequest.newBuilder()
                  .setDomain("web")
                  .addDescriptors(
                      RateLimitDescriptor.newBuilder()
                          .addEntries(
                              RateLimitDescriptor.Entry.newBuilder()
                                  .setKey("user")
                                  .setValue("anna")))
                  .build());
    } finally {
      channel.shutdownNow();
    }
  }

  private static Map<String, String> attributes(Span span) {
    List<KeyValue> attributes = span.getAttributesList();
    return attributes.stream()
        .collect(
            Collectors.toMap(
                KeyValue::getKey,
                attribute ->
                    switch (attribute.getValue().getValueCase()) {
                      case BOOL_VALUE -> Boolean.toString(attribute.getValue().getBoolValue());
                      case INT_VALUE -> Long.toString(attribute.getValue().getIntValue());
                      default -> attribute.getValue().getStringValue();
                    }));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
