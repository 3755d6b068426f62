package io.heatshield.shield;

import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.data.RawResp;
import io.heatshield.server.HeatshieldServer;
import io.heatshield.server.StartException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A whole server on loopback whose RESP door is the shield of a Redis. */
final class OpenShield implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HeatshieldServer server;
  private final HttpClient http = HttpClient.newHttpClient();

  private OpenShield(HeatshieldServer server) {
    this.server = server;
  }

  /** Opens a shield with more lines of its section, such as {@code hot_reads: {mode: enforce}}. */
  static OpenShield of(URI upstream, String... lines) {
    try {
      Path state = Files.createTempDirectory(Path.of("target"), "shield");
      var text =
          new StringBuilder("server: { http: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir: '");
      text.append(state).append("' }\n").append("detect: { window: 10s, threshold: 2 }\nshield:\n");
      text.append("  url: '").append(upstream).append("'\n");
      for (String line : lines) {
        text.append("  ").append(line).append('\n');
      }
      var loader = new ConfigLoader(Map.of());
      LoadResult result = loader.load("test", text.toString().getBytes(StandardCharsets.UTF_8));
      if (result instanceof LoadResult.Valid valid) {
        var shield = new OpenShield(HeatshieldServer.start(loader, valid.configuration(), null));
        await(() -> shield.status("readyz") == 200);
        return shield;
      }
      throw new IllegalStateException(result.toString());
    } catch (IOException | StartException e) {
      throw new IllegalStateException(e);
    }
  }

  String host() {
    return "127.0.0.1";
  }

  int port() {
    return server.resp().port();
  }

  RawResp connect() {
    return RawResp.open(host(), port());
  }

  /** Waits until changes of the upstream are told, so that memory may serve. */
  OpenShield awaitTracking() {
    await(() -> metric("heatshield_shield_tracking_up") == 1);
    return this;
  }

  /** Returns the value of a metric without labels. */
  double metric(String name) {
    Matcher line =
        Pattern.compile("(?m)^" + name + "(?:_total)? ([0-9.E+-]+)$").matcher(get("metrics"));
    if (!line.find()) {
      throw new IllegalStateException("no metric " + name);
    }
    return Double.parseDouble(line.group(1));
  }

  String explain(String key) {
    return get("api/v1/keys/" + URLEncoder.encode(key, StandardCharsets.UTF_8));
  }

  String get(String path) {
    return ask(path).body();
  }

  private int status(String path) {
    return ask(path).statusCode();
  }

  private HttpResponse<String> ask(String path) {
    try {
      HttpRequest request = HttpRequest.newBuilder(server.http().resolve(path)).build();
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("it did not come true");
      }
      LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
    }
  }

  @Override
  public void close() {
    server.stop(PATIENCE);
  }
}
