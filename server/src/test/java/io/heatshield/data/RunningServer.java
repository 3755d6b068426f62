package io.heatshield.data;

import io.heatshield.server.StartException;
import io.heatshield.server.TestServer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** A server in its own process, for tests that kill it. */
public final class RunningServer {
  private RunningServer() {}

  /**
   * Runs the server of a file until the process is killed, and prints the port of its data port.
   */
  public static void main(String[] args) throws IOException, StartException {
    TestServer server = TestServer.start(Path.of(args[0]));
    try (var out = new FileOutputStream(FileDescriptor.out)) {
      out.write(("port " + server.respPort() + "\n").getBytes(StandardCharsets.UTF_8));
    }
    LockSupport.park(server);
  }
}
