package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.redis.RespConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command {@code heatshield} as a process with a file of its output; closing it ends it. */
public final class HeatshieldProcess implements AutoCloseable {
  private static final Pattern HTTP = Pattern.compile("https?://127\\.0\\.0\\.1:[0-9]+/");
  private static final Pattern RESP = Pattern.compile("resp +127\\.0\\.0\\.1:([0-9]+)");
  private static final Duration REPLY_TIMEOUT = Duration.ofSeconds(20);
  private static final long END_SECONDS = 60;

  private final Process process;
  private final Path out;

  private HeatshieldProcess(Process process, Path out) {
    this.process = process;
    this.out = out;
  }

  /** Returns the launch of the command with arguments; JVM options may be added. */
  public static Start command(String... arguments) {
    return new Start(List.of(), Map.of(), List.of(arguments));
  }

  /** Writes a configuration to {@code <name>.yaml} of a folder and returns how to serve it. */
  public static Start serve(Path folder, String name, String yaml, String... more)
      throws IOException {
    Path file = Files.writeString(folder.resolve(name + ".yaml"), yaml);
    var arguments = new ArrayList<>(List.of("serve", "--config", file.toString()));
    arguments.addAll(List.of(more));
    return new Start(List.of(), Map.of(), arguments);
  }

  /** Waits until the server has printed where it listens. */
  public HeatshieldProcess awaitListening() throws IOException {
    Wait.until("the server says where it listens", () -> isListening() || !process.isAlive());
    assertThat(isListening()).as(output()).isTrue();
    return this;
  }

  /** Returns the address of HTTP. */
  public URI http() {
    return URI.create(find(HTTP).group());
  }

  /** Returns the port of RESP. */
  public int resp() {
    return Integer.parseInt(find(RESP).group(1));
  }

  /** Opens a connection to the port of RESP. */
  public RespConnection connect() throws IOException {
    return RespConnection.open("127.0.0.1", resp(), REPLY_TIMEOUT);
  }

  /** Returns what the process wrote so far. */
  public String output() {
    try {
      return Files.readString(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the process. */
  public Process process() {
    return process;
  }

  /** Waits for the end of the process and returns what it wrote. */
  public String await() throws InterruptedException {
    assertThat(process.waitFor(END_SECONDS, TimeUnit.SECONDS)).as(this::output).isTrue();
    return output();
  }

  /** Kills the process and waits for its end. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }

  private boolean isListening() {
    String text = output();
    return HTTP.matcher(text).find() && RESP.matcher(text).find();
  }

  private Matcher find(Pattern pattern) {
    Matcher found = pattern.matcher(output());
    assertThat(found.find()).as(this::output).isTrue();
    return found;
  }

  /**
   * The command line and environment of a process.
   *
   * @param options of the JVM
   * @param environment variables beside those of this process
   * @param arguments of the command
   */
  public record Start(
      List<String> options, Map<String, String> environment, List<String> arguments) {

    /** Returns this with options of the JVM. */
    public Start options(String... values) {
      return new Start(List.of(values), environment, arguments);
    }

    /** Returns this with a variable of the environment. */
    public Start environment(String name, String value) {
      return new Start(options, Map.of(name, value), arguments);
    }

    /** Returns the words of the command line. */
    public List<String> words() {
      var words = new ArrayList<String>();
      words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      // These servers live for seconds: the optimizing compiler costs more than it saves.
      words.add("-XX:TieredStopAtLevel=1");
      words.addAll(options);
      words.addAll(
          List.of("-cp", System.getProperty("java.class.path"), Heatshield.class.getName()));
      words.addAll(arguments);
      return words;
    }

    /** Starts the process in a folder, with both streams to {@code <name>.out} there. */
    public HeatshieldProcess in(Path folder, String name) throws IOException {
      Path out = folder.resolve(name + ".out");
      return new HeatshieldProcess(
          builder(folder).redirectErrorStream(true).redirectOutput(out.toFile()).start(), out);
    }

    /** Starts the process in a folder, with its errors in {@code <name>.err}. */
    public HeatshieldProcess inWithErrors(Path folder, String name) throws IOException {
      Path out = folder.resolve(name + ".out");
      return new HeatshieldProcess(
          builder(folder)
              .redirectOutput(out.toFile())
              .redirectError(folder.resolve(name + ".err").toFile())
              .start(),
          out);
    }

    private ProcessBuilder builder(Path folder) {
      var builder = new ProcessBuilder(words()).directory(folder.toFile());
      builder.environment().putAll(environment);
      return builder;
    }
  }
}
