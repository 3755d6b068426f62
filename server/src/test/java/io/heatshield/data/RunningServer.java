package io.heatshield.data;

import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.server.HeatshieldServer;
import io.heatshield.server.StartException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** A server in a process of its own, for tests that kill it. */
public final class RunningServer {
  private RunningServer() {}

  /**
   * Runs the server of a file until the process is killed, and prints the port of its data door.
   */
  public static void main(String[] args) throws IOException, StartException {
    var loader = new ConfigLoader(Map.of());
    Path file = Path.of(args[0]);
    if (!(loader.load(file) instanceof LoadResult.Valid valid)) {
      throw new IllegalArgumentException("the configuration must be valid");
    }
    HeatshieldServer server = HeatshieldServer.start(loader, valid.configuration(), file);
    try (var out = new FileOutputStream(FileDescriptor.out)) {
      out.write(("port " + server.resp().port() + "\n").getBytes(StandardCharsets.UTF_8));
    }
    LockSupport.park(server);
  }
}
