package io.heatshield.runtime.telemetry;

import io.heatshield.config.settings.TelemetrySettings;
import io.heatshield.config.value.WebhookUrl;
import io.heatshield.runtime.Version;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends metrics at intervals and spans in batches to an OTLP endpoint.
 *
 * <p>The queue is bounded: while the endpoint is slow or unavailable, spans are dropped. Metrics
 * are cumulative, so the next ones include what was not sent.
 */
public final class Telemetry {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int MAX_SPANS = 2048;
  private static final int MAX_HEADERS_BYTES = 16 * 1024;

  private final SdkMeterProvider meters;
  private final SdkTracerProvider tracers;
  private final Tracing tracing;

  private Telemetry(SdkMeterProvider meters, SdkTracerProvider tracers, double ratio) {
    this.meters = meters;
    this.tracers = tracers;
    this.tracing = new Tracing(tracers.get("io.heatshield", Version.current()), ratio);
  }

  /**
   * Starts sending; returns null if no endpoint is configured.
   *
   * @param metrics returns the metrics of the process
   * @throws IOException if the file of headers cannot be read
   */
  public static @Nullable Telemetry open(
      TelemetrySettings settings, Supplier<MetricSnapshots> metrics, Clock clock)
      throws IOException {
    WebhookUrl url = settings.otlp();
    if (url == null) {
      return null;
    }
    String endpoint = url.unmasked().replaceFirst("/+$", "");
    Map<String, String> headers = headers(settings.headersFile());
    Resource resource =
        Resource.getDefault().toBuilder()
            .put("service.name", "heatshield")
            .put("service.version", Version.current())
            .build();
    var spans =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(endpoint + "/v1/traces")
            .setTimeout(TIMEOUT)
            .setCompression("gzip")
            .setHeaders(() -> headers)
            .build();
    var sums =
        OtlpHttpMetricExporter.builder()
            .setEndpoint(endpoint + "/v1/metrics")
            .setTimeout(TIMEOUT)
            .setCompression("gzip")
            .setHeaders(() -> headers)
            .build();
    var meters =
        SdkMeterProvider.builder()
            .setResource(resource)
            .registerMetricProducer(new SnapshotMetrics(metrics, clock))
            .registerMetricReader(
                PeriodicMetricReader.builder(sums).setInterval(settings.metricsInterval()).build())
            .build();
    var tracers =
        SdkTracerProvider.builder()
            .setResource(resource)
            .setSampler(Sampler.parentBased(Sampler.alwaysOn()))
            .addSpanProcessor(BatchSpanProcessor.builder(spans).setMaxQueueSize(MAX_SPANS).build())
            .build();
    return new Telemetry(meters, tracers, settings.sampleRatio());
  }

  /** Returns the factory of spans. */
  public Tracing tracing() {
    return tracing;
  }

  /** Sends what is queued, for at most {@code timeout}, and stops. */
  public void close(Duration timeout) {
    long half = timeout.toMillis() / 2;
    var sent = tracers.shutdown();
    meters.shutdown().join(half, TimeUnit.MILLISECONDS);
    sent.join(half, TimeUnit.MILLISECONDS);
  }

  private static Map<String, String> headers(@Nullable Path file) throws IOException {
    var headers = new LinkedHashMap<String, String>();
    if (file == null) {
      return headers;
    }
    if (Files.size(file) > MAX_HEADERS_BYTES) {
      throw new IOException(file + " must not be longer than " + MAX_HEADERS_BYTES + " bytes");
    }
    for (String line : Files.readAllLines(file)) {
      int colon = line.indexOf(':');
      if (line.isBlank()) {
        continue;
      }
      // The message omits the line, which may have a secret.
      if (colon < 1 || !line.matches("[\\x20-\\x7e]+")) {
        throw new IOException(file + " must have lines like 'Name: value' in ASCII");
      }
      headers.put(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
    }
    return headers;
  }
}
