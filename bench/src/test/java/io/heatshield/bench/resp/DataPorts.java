package io.heatshield.bench.resp;

import io.heatshield.bench.ServerProcess;
import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.server.HeatshieldServer;
import io.heatshield.server.StartException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Opens a port in this process: {@code ours} with the defaults of a server, or {@code bare}. */
public final class DataPorts {
  private DataPorts() {}

  /** Opens the port and serves until the input ends; called as {@code KIND}. */
  public static void main(String[] args) throws IOException, StartException {
    if (args[0].equals("bare")) {
      try (var bare = new BarePort()) {
        ServerProcess.serve(bare.port(), UnaryOperator.identity());
      }
      return;
    }
    HeatshieldServer server = server(Files.createTempDirectory("heatshield-bench-"));
    ServerProcess.serve(server.resp().port(), UnaryOperator.identity());
    server.stop(Duration.ofSeconds(5));
  }

  private static HeatshieldServer server(Path state) throws StartException {
    var loader = new ConfigLoader(Map.of());
    String yaml =
        "server: { http: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir: '" + state + "' }\n";
    if (loader.load("bench", yaml.getBytes(StandardCharsets.UTF_8))
        instanceof LoadResult.Valid valid) {
      return HeatshieldServer.start(loader, valid.configuration(), null);
    }
    throw new IllegalStateException("the settings of the benchmark must be valid");
  }
}
