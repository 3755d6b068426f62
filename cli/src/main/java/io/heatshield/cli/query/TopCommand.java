package io.heatshield.cli.query;

import io.heatshield.cli.process.CannotRunException;
import io.heatshield.cli.process.ExitCode;
import io.heatshield.cli.process.FailureReason;
import io.heatshield.cli.process.StopSignal;
import io.heatshield.cli.view.ExplainText;
import io.heatshield.cli.view.HotTable;
import io.heatshield.cli.view.JsonObject;
import io.heatshield.cli.view.PrintableKey;
import io.heatshield.cli.view.Screen;
import io.heatshield.cli.view.Terminal;
import io.heatshield.cli.view.TopView;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code top} command: shows the hottest keys, updated continuously. */
@Command(
    name = "top",
    description = {
      "Shows the hottest keys of a running server, live.",
      "Keys: q quits, s sorts by the next column, / filters by a prefix, 1 to 9 explain a row, Esc"
          + " goes back; arrows, PgUp, PgDn, Home, End, j and k scroll. Without a terminal, it"
          + " prints plain lines."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield top                             live, until q",
      "  heatshield top --sort share --interval 1   by share of the traffic, every second",
      "  heatshield top --times 1 | head            once, as plain lines"
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
public final class TopCommand implements Callable<Integer> {
  private static final int MAX_KEYS = 100;

  @Mixin private ServerClient server;

  @Option(names = "--scope", paramLabel = "S", description = "Only this scope.")
  private @Nullable String scope;

  @Option(
      names = "--sort",
      paramLabel = "COLUMN",
      defaultValue = "RATE",
      description = "The sort order: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private HotTable.Sort sort;

  @Option(
      names = "--filter",
      paramLabel = "PREFIX",
      defaultValue = "",
      description = "Only keys with this prefix.")
  private String filter;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "The update interval in seconds. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--times",
      paramLabel = "N",
      defaultValue = "0",
      description = "The number of updates. Default: until q or Ctrl-C.")
  private int times;

  @Option(names = "--fleet", description = "Shows the merged counts of all nodes of the fleet.")
  private boolean fleet;

  @Spec private CommandSpec spec;

  private final StopSignal signal;

  public TopCommand(StopSignal signal) {
    this.signal = signal;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (seconds < 1 || times < 0) {
      throw new ParameterException(
          spec.commandLine(), "--interval must be at least 1 and --times not negative");
    }
    PrintWriter out = spec.commandLine().getOut();
    var view = new TopView(sort, filter);
    if (server.json() || !Terminal.isOutput()) {
      plain(view, out);
    } else {
      // Fails if the server cannot be reached now; a server that stops later is retried.
      server.get(path());
      try (Screen screen = Screen.open(out)) {
        live(view, screen);
      } catch (IOException e) {
        throw new CannotRunException("the terminal cannot be used: " + FailureReason.of(e));
      }
    }
    return ExitCode.OK;
  }

  private void plain(TopView view, PrintWriter out) throws InterruptedException {
    for (int i = 1; ; i++) {
      server.print(path(), view::plain);
      out.flush();
      if (i == times || signal.isRaisedWithin(Duration.ofSeconds(seconds))) {
        return;
      }
    }
  }

  private void live(TopView view, Screen screen) throws IOException {
    for (int i = 1; ; i++) {
      Function<Terminal.Size, List<String>> page = page(view);
      long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
      long left = end - System.nanoTime();
      while (left > 0) {
        Terminal.Size size = screen.size();
        screen.draw(page.apply(size), size);
        int key = screen.key(Duration.ofNanos(left));
        if (view.isQuit(key)) {
          return;
        }
        HotTable.Row before = view.explained();
        view.press(key);
        if (!Objects.equals(view.explained(), before)) {
          page = page(view);
        }
        left = end - System.nanoTime();
      }
      if (i == times) {
        return;
      }
    }
  }

  /** Queries the server, and returns a function that draws the answer until the next query. */
  private Function<Terminal.Size, List<String>> page(TopView view) {
    try {
      HotTable.Row row = view.explained();
      if (row == null) {
        JsonObject answer = server.get(path());
        return size -> view.table(answer, size);
      }
      List<String> explanation = explanation(row);
      return size -> view.explanation(explanation, size);
    } catch (CannotRunException e) {
      return size -> List.of("heatshield: " + e.getMessage(), "Retrying. Press q to quit.");
    }
  }

  private List<String> explanation(HotTable.Row row) {
    return PrintableKey.path(row.key().text("key"))
        .map(path -> ExplainText.lines(server.get(ExplainCommand.path(path, row.scope()))))
        .orElse(List.of("This key is too long: its full text is not known."));
  }

  private String path() {
    return HotCommand.path(scope, MAX_KEYS, fleet);
  }
}
