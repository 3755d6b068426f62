package io.heatshield.bench.resp;

import io.heatshield.server.HeatshieldServer;
import io.heatshield.server.StartException;
import io.heatshield.server.config.ConfigLoader;
import io.heatshield.server.config.LoadResult;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A door in a process of its own, with the options of this one: what the compiler learns of one
 * server is not what it makes of another.
 */
public final class DoorProcess implements AutoCloseable {
  private final Process process;
  private final int port;

  private DoorProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts a door: {@code ours} with the defaults of a server, or {@code bare}. */
  static DoorProcess start(String kind) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), DoorProcess.class.getName(), kind));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    // Not closed: the end of the process closes it, and it goes on writing to it.
    String line = process.inputReader(StandardCharsets.UTF_8).readLine();
    if (line == null || !line.startsWith("port ")) {
      process.destroy();
      throw new IOException("the door did not start: " + line);
    }
    return new DoorProcess(process, Integer.parseInt(line.substring("port ".length())));
  }

  /** Opens a door, says its port and waits until the input ends; called as {@code KIND}. */
  public static void main(String[] args) throws IOException, StartException {
    if (args[0].equals("bare")) {
      try (var bare = new BareDoor()) {
        serve(bare.port());
      }
      return;
    }
    HeatshieldServer server = server(Files.createTempDirectory("heatshield-bench-"));
    serve(server.resp().port());
    server.stop(Duration.ofSeconds(5));
  }

  int port() {
    return port;
  }

  long residentBytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
      }
    }
    throw new IOException("this system does not tell the resident memory");
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().join();
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

  private static void serve(int port) throws IOException {
    System.out.println("port " + port);
    if (System.in.read() >= 0) {
      throw new IOException("nothing was expected on the input");
    }
  }
}
