package io.heatshield.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A server in its own process, with the JVM options of this one: so JIT profiles of different
 * servers do not mix, and the system reports the CPU time of each.
 */
public final class ServerProcess implements AutoCloseable {
  private static final int MILLIS_PER_TICK = 10;

  private final Process process;
  private final BufferedReader said;
  private final int port;

  private ServerProcess(Process process, BufferedReader said, int port) {
    this.process = process;
    this.said = said;
    this.port = port;
  }

  /** Starts a class whose {@code main} ends in {@link #serve}. */
  public static ServerProcess start(Class<?> main, String... args) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(args));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
    String line = said.readLine();
    if (line == null) {
      process.destroy();
      throw new IOException("the server did not start: " + main.getName() + " " + List.of(args));
    }
    return new ServerProcess(process, said, Integer.parseInt(line));
  }

  /** Prints the port and answers every input line; called in the other process. */
  public static void serve(int port, UnaryOperator<String> answers) throws IOException {
    System.out.println(port);
    var asked = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = asked.readLine(); line != null; line = asked.readLine()) {
      System.out.println(answers.apply(line));
    }
  }

  /** Returns the port that it listens on. */
  public int port() {
    return port;
  }

  /** Returns the address of the server. */
  public InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** Sends a line and returns the line that it answers. */
  public String ask(String question) {
    try {
      process.getOutputStream().write((question + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
      String answer = said.readLine();
      if (answer == null) {
        throw new IOException("the server has ended");
      }
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the CPU time of the process so far without the JIT compilers, which a server that runs
   * for long no longer needs.
   */
  public Duration cpu() {
    return cpu(process.pid());
  }

  /** Returns the CPU time of the JIT compilers of several processes and of this one. */
  public static Duration compilers(List<ServerProcess> servers) {
    Duration all = cpu(ProcessHandle.current().pid(), true);
    for (ServerProcess server : servers) {
      all = all.plus(cpu(server.process.pid(), true));
    }
    return all;
  }

  /** Returns the CPU time of a process so far, without its JIT compilers. */
  public static Duration cpu(long pid) {
    return cpu(pid, false);
  }

  private static Duration cpu(long pid, boolean ofCompilers) {
    long nanos = 0;
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
      for (Path thread : threads.toList()) {
        nanos += nanos(thread, ofCompilers);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Duration.ofNanos(nanos);
  }

  /** Returns the CPU time of a thread if it is, or is not, a compiler; 0 if it has ended. */
  private static long nanos(Path thread, boolean ofCompilers) throws IOException {
    try {
      String name = Files.readString(thread.resolve("comm"));
      boolean compiles = name.startsWith("C1 Compiler") || name.startsWith("C2 Compiler");
      String ran = compiles == ofCompilers ? Files.readString(thread.resolve("schedstat")) : "0 ";
      return Long.parseLong(ran.substring(0, ran.indexOf(' ')));
    } catch (NoSuchFileException ended) {
      return 0;
    }
  }

  /** Returns the CPU time of the whole machine so far. */
  public static Duration machineCpu() {
    try {
      String all = Files.readAllLines(Path.of("/proc/stat")).get(0);
      String[] fields = all.trim().split(" +", -1);
      // user, nice, system; then idle and iowait, which are not CPU time, and interrupts.
      long ticks = 0;
      for (int field : new int[] {1, 2, 3, 6, 7}) {
        ticks += Long.parseLong(fields[field]);
      }
      return Duration.ofMillis(ticks * MILLIS_PER_TICK);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the resident memory of the process. */
  public long residentBytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
      }
    }
    throw new IOException("this system does not tell the resident memory");
  }

  @Override
  public void close() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      process.destroy();
    }
    process.onExit().join();
  }
}
