package io.heatshield.runtime.telemetry;

import io.heatshield.runtime.net.Transport;
import io.heatshield.web.http.HttpServer;
import io.heatshield.web.http.Method;
import io.heatshield.web.http.Request;
import io.heatshield.web.http.Response;
import io.heatshield.web.http.Route;
import io.heatshield.web.http.Routes;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;

/** An OTLP endpoint over HTTP that decodes and keeps what it was sent. */
final class OtlpReceiver implements AutoCloseable {
  private final List<Span> spans = new CopyOnWriteArrayList<>();
  private final List<Metric> metrics = new CopyOnWriteArrayList<>();
  private final List<String> authorizations = new CopyOnWriteArrayList<>();
  private final Transport transport = new Transport(1);
  private final HttpServer port;

  OtlpReceiver() throws IOException {
    Routes routes =
        Routes.builder()
            .add(Route.of(Method.POST, "/v1/traces", "Takes spans.", r -> traces(r)).open())
            .add(Route.of(Method.POST, "/v1/metrics", "Takes metrics.", r -> metrics(r)).open())
            .build("1");
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    port = HttpServer.builder(transport, address, routes).build();
    port.start();
  }

  String url() {
    return "http://127.0.0.1:" + port.address().getPort();
  }

  List<Span> spans() {
    return spans;
  }

  /** Returns the metric of a name that was sent last. */
  Metric metric(String name) {
    return metrics.stream()
        .filter(metric -> metric.getName().equals(name))
        .reduce((first, second) -> second)
        .orElseThrow(() -> new AssertionError("no metric " + name));
  }

  List<String> authorizations() {
    return authorizations;
  }

  private Response traces(Request request) {
    try (InputStream body = body(request)) {
      ExportTraceServiceRequest.parseFrom(body)
          .getResourceSpansList()
          .forEach(
              resource ->
                  resource
                      .getScopeSpansList()
                      .forEach(scope -> spans.addAll(scope.getSpansList())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Response.empty(200);
  }

  private Response metrics(Request request) {
    try (InputStream body = body(request)) {
      ExportMetricsServiceRequest.parseFrom(body)
          .getResourceMetricsList()
          .forEach(
              resource ->
                  resource
                      .getScopeMetricsList()
                      .forEach(scope -> metrics.addAll(scope.getMetricsList())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Response.empty(200);
  }

  private InputStream body(Request request) throws IOException {
    authorizations.add(String.valueOf(request.header("Authorization")));
    return new GZIPInputStream(new ByteArrayInputStream(request.body()));
  }

  @Override
  public void close() {
    port.stop(Duration.ZERO);
    transport.stop(Duration.ofSeconds(5));
  }
}
