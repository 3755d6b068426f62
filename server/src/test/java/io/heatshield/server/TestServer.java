package io.heatshield.server;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.config.value.Address;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.testkit.client.RawResp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A server in this process with clients of its ports; closing it stops the server. */
public final class TestServer implements AutoCloseable {
  /** The token of {@link #adminToken}. */
  public static final String TOKEN = "0123456789abcdef-token";

  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final HeatshieldServer server;
  private @Nullable ManagedChannel channel;

  private TestServer(HeatshieldServer server) {
    this.server = server;
  }

  /** Writes a configuration to {@code heatshield.yaml} of a folder and starts its server. */
  public static TestServer start(Path folder, String... yaml) throws IOException, StartException {
    return start(
        Files.writeString(folder.resolve("heatshield.yaml"), String.join("\n", yaml) + "\n"));
  }

  /** Starts the server of a configuration file. */
  public static TestServer start(Path file) throws IOException, StartException {
    var loader = new ConfigLoader(Map.of());
    LoadResult result = loader.load(file);
    if (!(result instanceof LoadResult.Valid valid)) {
      throw new IllegalArgumentException("the configuration must be valid: " + result);
    }
    return new TestServer(HeatshieldServer.start(loader, valid.configuration(), file));
  }

  /**
   * Returns the line of the section {@code server}, with free ports of this machine.
   *
   * @param state the folder of its state
   * @param settings more settings of the section, such as {@code "admin_token_file: 'token'"}
   */
  public static String section(Path state, String... settings) {
    return section(0, state, settings);
  }

  /** Returns the line of the section {@code server} with a port for HTTP, or 0 for a free one. */
  public static String section(int http, Path state, String... settings) {
    var line = new StringBuilder("server: { http: '127.0.0.1:").append(http);
    line.append("', grpc: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir: '");
    line.append(state).append('\'');
    for (String setting : settings) {
      line.append(", ").append(setting);
    }
    return line.append(" }\n").toString();
  }

  /** Writes {@link #TOKEN} to a file of a folder and returns the setting that names it. */
  public static String adminToken(Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("token"), TOKEN);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return "admin_token_file: '" + file + "'";
  }

  /** Returns the server. */
  public HeatshieldServer server() {
    return server;
  }

  /** Returns the address of a path, such as {@code api/v1/hot} or {@code /metrics}. */
  public URI at(String path) {
    return server.http().resolve("/").resolve(path);
  }

  /** Returns the port of RESP. */
  public int respPort() {
    return server.resp().port();
  }

  /** Opens a connection to the port of RESP. */
  public RawResp connect() {
    return RawResp.open("127.0.0.1", respPort());
  }

  /** Returns a channel to the gRPC port, closed with the server. */
  public ManagedChannel channel() {
    if (channel == null) {
      Address address = server.grpc().orElseThrow();
      channel =
          NettyChannelBuilder.forAddress(address.host(), address.port()).usePlaintext().build();
    }
    return channel;
  }

  /** Returns the body of a path. */
  public String get(String path) {
    return send(HttpRequest.newBuilder(at(path))).body();
  }

  /** Returns the status of a path. */
  public int status(String path) {
    return send(HttpRequest.newBuilder(at(path))).statusCode();
  }

  /** Posts JSON to a path. */
  public HttpResponse<String> post(String path, String json) {
    return send(HttpRequest.newBuilder(at(path)).POST(HttpRequest.BodyPublishers.ofString(json)));
  }

  /** Sends a request. */
  public HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Returns the value of a metric without labels. */
  public double metric(String name) {
    Matcher line =
        Pattern.compile("(?m)^" + name + "(?:_total)? ([0-9.E+-]+)$").matcher(get("metrics"));
    if (!line.find()) {
      throw new IllegalStateException("no metric " + name);
    }
    return Double.parseDouble(line.group(1));
  }

  /** Makes a key of a scope hot. */
  public void heat(String scope, String key) {
    HotKeyDetector detector = server.scopes().open(scope);
    for (int i = 0; i < 7_000; i++) {
      detector.touch(key);
    }
  }

  /** Waits until a condition holds that another thread brings about. */
  public static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("the condition did not hold within " + TIMEOUT);
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  /** Stops the server, and returns false if it did not end in time. */
  public boolean stop() {
    if (channel != null) {
      channel.shutdownNow();
      channel = null;
    }
    return server.stop(STOP_TIMEOUT);
  }

  @Override
  public void close() {
    stop();
  }
}
