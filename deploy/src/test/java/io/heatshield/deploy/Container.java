package io.heatshield.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An unpacked image, run by {@code run-image.sh} as a container runtime would: a read-only root,
 * the image's user, environment and entry point, and volumes for the state and the configuration.
 */
final class Container {
  private static final Path SCRIPT =
      Documents.DEPLOY.resolve("src/test/resources/run-image.sh").toAbsolutePath();
  private static final Pattern HTTP = Pattern.compile("http://0\\.0\\.0\\.0:(\\d+)/");
  private static final Pattern RESP = Pattern.compile("resp +0\\.0\\.0\\.0:(\\d+)");

  /** The image's own configuration, on ports that are free, and with a store on disk. */
  private static final String STORE =
      "\nstores: [{ name: main, engine: rocksdb, path: /var/lib/heatshield/main }]\n";

  private final ImageArchive image;
  private final Path root;
  private final Path folder;
  private final Path state;

  Container(ImageArchive image, Path root, Path folder) throws IOException {
    this.image = image;
    this.root = root;
    this.folder = folder;
    state = Files.createDirectory(folder.resolve("state"));
  }

  /** Returns whether this process may make the namespaces of a container. */
  boolean mayRun() throws IOException, InterruptedException {
    if (Documents.program("unshare").isEmpty() || Documents.program("setpriv").isEmpty()) {
      return false;
    }
    var command = new ArrayList<>(List.of("unshare", "--mount", "--pid", "--fork", "true"));
    if (!isRoot()) {
      command.addAll(1, List.of("--user", "--map-root-user"));
    }
    return Output.of(command).code() == 0;
  }

  /** Returns whether the server can run as the image's user: others than root cannot change. */
  boolean isRoot() throws IOException, InterruptedException {
    return Output.of(List.of("id", "-u")).text().strip().equals("0");
  }

  /** Starts the server and waits until it is ready. */
  Running serve() throws IOException, InterruptedException {
    String user = image.run().get("User").getAsString();
    if (isRoot()) {
      Output owner = Output.of(List.of("chown", user, state.toString()));
      if (owner.code() != 0) {
        throw new IllegalStateException(owner.text());
      }
    }
    Path own = root.resolve("etc/heatshield/heatshield.yaml");
    String yaml = Files.readString(own).replaceAll("0\\.0\\.0\\.0:\\d+", "0.0.0.0:0") + STORE;
    Files.writeString(folder.resolve("heatshield.yaml"), yaml);
    Files.copy(folder.resolve("heatshield.yaml"), state.resolve("heatshield.yaml"));
    Path out = folder.resolve("out.txt");
    Process process =
        builder("serve", "--config", "/var/lib/heatshield/heatshield.yaml")
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    var running = new Running(process, out);
    running.await();
    return running;
  }

  /** Runs a command of the image to its end. */
  Output command(String... arguments) throws IOException, InterruptedException {
    return Output.of(builder(arguments).redirectErrorStream(true));
  }

  private ProcessBuilder builder(String... arguments) {
    var command = new ArrayList<>(List.of(SCRIPT.toString(), root.toString(), state.toString()));
    command.add(image.run().get("User").getAsString());
    command.addAll(image.texts("Entrypoint"));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command);
    String path = System.getenv("PATH");
    builder.environment().clear();
    image
        .texts("Env")
        .forEach(
            variable -> {
              List<String> parts = List.of(variable.split("=", 2));
              builder.environment().put(parts.get(0), parts.get(1));
            });
    builder.environment().merge("PATH", path, (ours, machine) -> ours + ":" + machine);
    return builder;
  }

  /** A server in its container. */
  record Running(Process process, Path out) implements AutoCloseable {

    private void await() throws IOException {
      while (process.isAlive() && !(matcher(HTTP).find() && matcher(RESP).find())) {
        LockSupport.parkNanos(20_000_000);
      }
      if (!process.isAlive()) {
        throw new IllegalStateException("the server ended: " + Files.readString(out));
      }
    }

    String http() throws IOException {
      return "http://127.0.0.1:" + port(HTTP);
    }

    /** Returns the reply to a command, as it comes over the wire. */
    String redis(String... words) throws IOException {
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), port(RESP))) {
        var command = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
          command.append("$").append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        socket.getOutputStream().write(command.toString().getBytes(UTF_8));
        socket.getOutputStream().write("*1\r\n$4\r\nQUIT\r\n".getBytes(UTF_8));
        InputStream answer = socket.getInputStream();
        String all = new String(answer.readAllBytes(), UTF_8);
        return all.substring(0, all.length() - "+OK\r\n".length());
      }
    }

    /** Returns the files that the server has mapped into its memory. */
    String nativeLibraries() throws IOException {
      return Files.readString(Path.of("/proc", java().pid() + "", "maps"));
    }

    /** Returns what the kernel says of the server's rights. */
    String status() throws IOException {
      return Files.readString(Path.of("/proc", java().pid() + "", "status"));
    }

    /** Sends SIGTERM to the server, process 1 of its container, and returns its exit code. */
    int stop() throws InterruptedException {
      java().destroy();
      return process.waitFor();
    }

    @Override
    public void close() {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.onExit().join();
    }

    private ProcessHandle java() {
      return process.children().findFirst().orElseThrow();
    }

    private int port(Pattern pattern) throws IOException {
      Matcher matcher = matcher(pattern);
      if (!matcher.find()) {
        throw new IllegalStateException("no port in " + Files.readString(out));
      }
      return Integer.parseInt(matcher.group(1));
    }

    private Matcher matcher(Pattern pattern) throws IOException {
      return pattern.matcher(Files.readString(out));
    }
  }
}
