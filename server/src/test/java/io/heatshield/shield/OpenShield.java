package io.heatshield.shield;

import io.heatshield.server.StartException;
import io.heatshield.server.TestServer;
import io.heatshield.testkit.client.RawResp;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** A server with a shield in front of a Redis. */
final class OpenShield implements AutoCloseable {
  static final String HOT_READS = "hot_reads: { mode: enforce, threshold: 2, max_stale: 10s }";
  static final String NO_WRITE_LIMIT = "write_limit: { mode: 'off' }";

  private final TestServer server;
  private AutoCloseable upstream = () -> {};

  private OpenShield(TestServer server) {
    this.server = server;
  }

  /** Opens a shield with settings of its section, such as {@code hot_reads: {mode: enforce}}. */
  static OpenShield of(URI upstream, String... lines) {
    try {
      Path folder = Files.createTempDirectory(Path.of("target"), "shield");
      TestServer server =
          TestServer.start(
              folder,
              TestServer.section(folder.resolve("state")),
              "detect: { window: 10s, threshold: 2 }",
              "shield:",
              "  url: '" + upstream + "'",
              String.join("\n", lines).indent(2));
      await(() -> server.status("readyz") == 200);
      return new OpenShield(server);
    } catch (IOException | StartException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Closes the upstream after this shield. */
  OpenShield closing(AutoCloseable other) {
    upstream = other;
    return this;
  }

  String host() {
    return "127.0.0.1";
  }

  int port() {
    return server.respPort();
  }

  RawResp connect() {
    return server.connect();
  }

  /** Waits until the shield is subscribed to invalidations, so that memory may serve. */
  OpenShield awaitTracking() {
    await(() -> metric("heatshield_shield_tracking_up") == 1);
    return this;
  }

  /** Returns the value of a metric without labels. */
  double metric(String name) {
    return server.metric(name);
  }

  String explain(String key) {
    return get("api/v1/keys/" + URLEncoder.encode(key, StandardCharsets.UTF_8));
  }

  String get(String path) {
    return server.get(path);
  }

  static void await(BooleanSupplier condition) {
    TestServer.await(condition);
  }

  /** Returns the reply of a bulk string. */
  static String bulk(String text) {
    return "$" + text.length() + "\r\n" + text + "\r\n";
  }

  @Override
  public void close() {
    server.close();
    try {
      upstream.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
