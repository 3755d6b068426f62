package io.heatshield.cli;

import io.heatshield.cli.demo.DemoFolder;
import io.heatshield.cli.demo.DemoLoad;
import io.heatshield.cli.demo.DemoTraffic;
import io.heatshield.cli.demo.DoorTraffic;
import io.heatshield.server.HeatshieldServer;
import io.heatshield.server.config.ConfigLoader;
import io.heatshield.server.config.Configuration;
import io.heatshield.server.config.LoadResult;
import io.heatshield.time.Ticker;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code demo} command: the server with synthetic traffic in which one key turns hot. */
@Command(
    name = "demo",
    description = {
      "Runs everything in this process, with traffic in which one key turns hot, another every half minute.",
      "Nothing is kept: its state stands in a temporary folder that goes when it ends."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield demo                until Ctrl-C",
      "  heatshield demo --seconds 60   ends by itself",
      "  heatshield demo --port 0       any free port"
    })
final class DemoCommand implements Callable<Integer> {
  private static final int USUAL_PORT = 8080;
  private static final int USUAL_DATA_PORT = 6380;
  private static final long SEED = 20_261_115;

  private final StopSignal signal;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "The port of the HTTP door; by default 8080, or any free one if that is taken.")
  private @Nullable Integer port;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Ends the demo after so many seconds.")
  private @Nullable Integer seconds;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
  private CommandSpec spec;

  DemoCommand(StopSignal signal) {
    this.signal = signal;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (seconds != null && seconds < 1) {
      throw new ParameterException(spec.commandLine(), "--seconds must be at least 1: " + seconds);
    }
    if (port != null && (port < 0 || port > 65_535)) {
      throw new ParameterException(spec.commandLine(), "--port must be 0 to 65535: " + port);
    }
    try (DemoFolder folder = DemoFolder.make()) {
      // Variables of the environment are for a real server; a demo is the same everywhere.
      var loader = new ConfigLoader(Map.of());
      return ServerRun.of(
          loader, configuration(loader, folder), null, server -> run(server, folder));
    } catch (IOException e) {
      throw new CannotRunException("no temporary folder can be made: " + e.getMessage());
    }
  }

  private void run(HeatshieldServer server, DemoFolder folder) throws InterruptedException {
    describe(server, folder);
    try (var sink = DoorTraffic.open(server.resp().port())) {
      var traffic = new DemoTraffic(Ticker.system(), SEED, sink);
      DemoLoad load =
          DemoLoad.start(
              () -> {
                traffic.catchUp();
                sink.flush();
              });
      try {
        if (seconds == null) {
          signal.await();
        } else {
          signal.await(Duration.ofSeconds(seconds));
        }
      } finally {
        load.close();
      }
    } catch (IOException e) {
      throw new CannotRunException("the data door cannot be reached: " + e.getMessage());
    }
  }

  private void describe(HeatshieldServer server, DemoFolder folder) {
    PrintWriter out = spec.commandLine().getOut();
    server.summary().forEach(out::println);
    out.println(
        "  traffic      20000 touches/s over 100000 keys; a key is hot from 1200/s over 5 s");
    out.println("  dashboard    " + server.http());
    out.println("  hottest      curl '" + server.http() + "api/v1/hot?scope=demo'");
    out.println("  redis-cli    redis-cli -p " + server.resp().port() + " hs.hot demo 3");
    out.println("  admin token  " + folder.token());
    out.println("A key turns hot in a few seconds, and another every half minute. Ctrl-C ends it.");
  }

  private Configuration configuration(ConfigLoader loader, DemoFolder folder) {
    String yaml =
        String.format(
            Locale.ROOT,
            "server: { http: '127.0.0.1:%d', resp: '127.0.0.1:%d', state_dir: '%s', admin_token_file: '%s' }%n"
                + "detect: { window: 5s, threshold: 1200 }%n"
                + "stores: [{ name: %s, max_memory: 64MiB }]%n",
            port == null ? freePort(USUAL_PORT) : port,
            freePort(USUAL_DATA_PORT),
            folder.state(),
            folder.token(),
            DemoTraffic.SCOPE);
    LoadResult result = loader.load("demo", yaml.getBytes(StandardCharsets.UTF_8));
    if (result instanceof LoadResult.Valid valid) {
      return valid.configuration();
    }
    throw new IllegalStateException("the demo's own settings must be valid: " + result);
  }

  /** Returns the usual port, or 0 for any if somebody listens there. */
  private static int freePort(int usual) {
    try (var probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), usual));
      return usual;
    } catch (IOException e) {
      return 0;
    }
  }
}
