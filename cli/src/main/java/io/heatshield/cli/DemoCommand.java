package io.heatshield.cli;

import io.heatshield.cli.demo.Demo;
import io.heatshield.cli.demo.DemoConfiguration;
import io.heatshield.cli.demo.DemoFolder;
import io.heatshield.cli.demo.DemoStage;
import io.heatshield.cli.demo.Scene;
import io.heatshield.cli.process.CannotRunException;
import io.heatshield.cli.process.StopSignal;
import io.heatshield.config.ConfigLoader;
import io.heatshield.config.Configuration;
import io.heatshield.config.LoadResult;
import io.heatshield.config.value.Address;
import io.heatshield.redis.RedisUrl;
import io.heatshield.server.HeatshieldServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code demo} command: shows the effect of hot keys with and without protection. */
@Command(
    name = "demo",
    description = {
      "Shows what a hot key does to the other users of a store, and what protection changes.",
      "Everything runs in this process: a small store, its clients, and Heatshield between them.",
      "Repeats four scenes of 30 seconds: hot-key, scanner, runaway-writer, rate-limit.",
      "All data is deleted at the end."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield demo                            all scenes, until Ctrl-C",
      "  heatshield demo --scene hot-key            one scene, repeated",
      "  heatshield demo --seconds 60 --json        one minute, results as JSON",
      "  heatshield demo --redis redis://127.0.0.1  with your Redis as the store"
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
final class DemoCommand implements Callable<Integer> {
  private static final int HTTP_PORT = 8080;
  private static final int GRPC_PORT = 8081;
  private static final int RESP_PORT = 6380;

  private final StopSignal signal;

  @Mixin private PortOptions ports;

  @Option(
      names = "--port",
      hidden = true,
      paramLabel = "PORT",
      converter = PortOptions.AddressConverter.class)
  private @Nullable Address port;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = {
        "Ends the demo after N seconds in total;",
        "scenes that would take less than 8 seconds are skipped."
      })
  private @Nullable Integer seconds;

  @Option(
      names = "--scene",
      paramLabel = "NAME",
      description = "Runs only this scene; may be repeated.")
  private List<String> scenes = List.of();

  @Option(
      names = "--redis",
      paramLabel = "URL",
      description = {
        "Uses this Redis as the store instead of the embedded one.",
        "Writes keys with the prefix heatshield-demo: and deletes them at the end."
      })
  private @Nullable String redis;

  @Option(names = "--json", description = "Prints the results of each scene as one line of JSON.")
  private boolean json;

  @Spec private CommandSpec spec;

  DemoCommand(StopSignal signal) {
    this.signal = signal;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (seconds != null && seconds < 1) {
      throw new ParameterException(spec.commandLine(), "--seconds must be at least 1: " + seconds);
    }
    if (redis != null && !isRedisUrl(redis)) {
      throw new ParameterException(
          spec.commandLine(), "--redis must be redis://host:port or rediss://host:port: " + redis);
    }
    Demo demo = Demo.of(chosen(), seconds);
    try (DemoFolder folder = DemoFolder.create();
        DemoStage stage = DemoStage.open(redis)) {
      // The environment configures real servers only; the demo is the same everywhere.
      var loader = new ConfigLoader(Map.of());
      String token = folder.tokenText();
      return ServerRun.of(
          loader,
          configuration(loader, folder, stage),
          null,
          server -> describe(server, stage, token),
          server -> play(demo, server, stage, token));
    } catch (IOException e) {
      throw new CannotRunException(String.valueOf(e.getMessage()));
    }
  }

  private void play(Demo demo, HeatshieldServer server, DemoStage stage, String token)
      throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    boolean terminal = Boolean.getBoolean("heatshield.stdout.tty");
    try {
      demo.run(server, stage, token, out, json, terminal, signal::isRaisedWithin);
    } catch (IOException e) {
      throw new CannotRunException("the demo failed: " + e.getMessage());
    }
  }

  private void describe(HeatshieldServer server, DemoStage stage, String token) {
    if (json) {
      return;
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println("Heatshield demo: what a hot key does to the other users of a store.");
    out.println();
    out.println("  store      " + stage.describe());
    out.println("  traffic    clients -> Heatshield -> store");
    out.println("  page       " + server.http() + "#token=" + token);
    out.println("  explain    heatshield top --url " + server.http());
    out.println("  redis-cli  redis-cli -p " + server.resp().port() + " get user:1");
    out.println();
    out.println("Each scene runs first without protection (observe), then with it (enforce).");
    if (seconds == null) {
      out.println("The scenes repeat until Ctrl-C.");
    }
  }

  private List<Scene> chosen() {
    if (scenes.isEmpty()) {
      return List.of(Scene.values());
    }
    return scenes.stream().map(name -> Scene.named(name).orElseThrow(() -> unknown(name))).toList();
  }

  private static boolean isRedisUrl(String url) {
    try {
      RedisUrl unused = RedisUrl.parse(url);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private ParameterException unknown(String name) {
    String known = Arrays.stream(Scene.values()).map(Scene::id).collect(Collectors.joining(", "));
    return new ParameterException(
        spec.commandLine(), "--scene must be one of " + known + ": " + name);
  }

  private Configuration configuration(ConfigLoader loader, DemoFolder folder, DemoStage stage)
      throws IOException {
    Address http = port == null ? ports.http() : port;
    String yaml =
        DemoConfiguration.yaml(
            folder,
            stage.url(),
            address(http, HTTP_PORT),
            address(ports.grpc(), GRPC_PORT),
            address(ports.resp(), RESP_PORT));
    LoadResult result = loader.load("demo", yaml.getBytes(StandardCharsets.UTF_8));
    if (result instanceof LoadResult.Valid valid) {
      return valid.configuration();
    }
    throw new IOException("the demo's own configuration is not valid: " + result);
  }

  /** Returns the given address, or the default port, or a free port if that is in use. */
  private static String address(@Nullable Address given, int defaultPort) throws IOException {
    if (given != null) {
      return given.toString();
    }
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (var probe = new ServerSocket()) {
      probe.bind(new InetSocketAddress(loopback, defaultPort));
      return "127.0.0.1:" + defaultPort;
    } catch (IOException inUse) {
      try (var probe = new ServerSocket(0, 1, loopback)) {
        return "127.0.0.1:" + probe.getLocalPort();
      }
    }
  }
}
