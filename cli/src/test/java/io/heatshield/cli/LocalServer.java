package io.heatshield.cli;

import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.server.HeatshieldServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A server in this process for a command to ask; closing it stops the server. */
record LocalServer(HeatshieldServer server) implements AutoCloseable {

  /** Starts a server in a folder with lines of a configuration beside the section server. */
  static LocalServer start(Path folder, String lines) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("heatshield.yaml"),
            "server: { http: '127.0.0.1:0', grpc: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir: '"
                + folder.resolve("state")
                + "' }\n"
                + lines);
    var loader = new ConfigLoader(Map.of());
    LoadResult.Valid valid = (LoadResult.Valid) loader.load(file);
    return new LocalServer(HeatshieldServer.start(loader, valid.configuration(), file));
  }

  /** Returns the address of HTTP. */
  String url() {
    return server.http().toString();
  }

  /** Makes two keys of the scope {@code shop} hot, and touches the key {@code cold} once. */
  void heat(String first, String second) {
    HotKeyDetector shop = server.scopes().open("shop");
    for (int i = 0; i < 7_000; i++) {
      shop.touch(first);
      shop.touch(second);
    }
    shop.touch("cold");
  }

  @Override
  public void close() {
    server.stop(Duration.ofSeconds(5));
  }
}
