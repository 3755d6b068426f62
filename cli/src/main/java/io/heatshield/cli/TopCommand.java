package io.heatshield.cli;

import io.heatshield.cli.view.ExplainText;
import io.heatshield.cli.view.Facts;
import io.heatshield.cli.view.FleetLines;
import io.heatshield.cli.view.HotTable;
import io.heatshield.cli.view.Screen;
import io.heatshield.cli.view.ShownKey;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code top} command: the hottest keys, live. */
@Command(
    name = "top",
    description = {
      "Shows the hottest keys of a running server, live.",
      "q ends it, s sorts by the next column, / filters by a prefix, 1 to 9 explain a row, Esc"
          + " goes back. Where there is no terminal it prints plain lines."
    })
final class TopCommand implements Callable<Integer> {
  /** Set by the launcher if standard output is a terminal. */
  private static final String TERMINAL_PROPERTY = "heatshield.stdout.tty";

  private static final int ESCAPE = 27;
  private static final int BACKSPACE = 127;
  private static final int MOST_KEYS = 100;
  private static final int MOST_EXPLAINED = 9;
  private static final String KEYS =
      "q ends, s sorts, / filters, 1 to 9 explain a row, Esc goes back";

  @Mixin
  @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
  private ServerQuestion server;

  @Option(names = "--scope", paramLabel = "S", description = "Only this scope.")
  private @Nullable String scope;

  @Option(
      names = "--sort",
      paramLabel = "COLUMN",
      defaultValue = "RATE",
      description = "By what: ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} if not given.")
  @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
  private HotTable.Sort sort;

  @Option(
      names = "--filter",
      paramLabel = "PREFIX",
      defaultValue = "",
      description = "Only keys that begin so.")
  @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
  private String filter;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "How often it asks, ${DEFAULT-VALUE} if not given.")
  private int seconds;

  @Option(
      names = "--times",
      paramLabel = "N",
      defaultValue = "0",
      description = "Ends after so many; goes on until it is ended if not given.")
  private int times;

  @Option(names = "--fleet", description = "As the whole fleet has counted them.")
  private boolean fleet;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
  private CommandSpec spec;

  private final StopSignal signal;
  private boolean typing;
  private HotTable.@Nullable Row explained;

  TopCommand(StopSignal signal) {
    this.signal = signal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (seconds < 1 || times < 0) {
      throw new ParameterException(
          spec.commandLine(), "--interval must be at least 1 and --times not negative");
    }
    PrintWriter out = spec.commandLine().getOut();
    if (server.json() || !Boolean.getBoolean(TERMINAL_PROPERTY)) {
      plain(out);
    } else {
      try (Screen screen = Screen.open(out)) {
        live(screen);
      }
    }
    return ExitCode.FINE;
  }

  private void plain(PrintWriter out) throws InterruptedException {
    for (int i = 1; ; i++) {
      Facts answer = server.ask(HotCommand.path(scope, MOST_KEYS, fleet), out);
      if (answer != null) {
        page(answer, rows(answer)).forEach(out::println);
      }
      out.flush();
      if (i == times || signal.isRaisedWithin(Duration.ofSeconds(seconds))) {
        return;
      }
    }
  }

  private void live(Screen screen) throws IOException {
    for (int i = 1; ; i++) {
      List<HotTable.Row> rows = List.of();
      try {
        Facts answer = server.ask(HotCommand.path(scope, MOST_KEYS, fleet));
        rows = rows(answer);
        if (explained == null) {
          screen.draw(numbered(page(answer, rows)));
        } else {
          screen.drawWhole(explanation(explained));
        }
      } catch (CannotRunException e) {
        screen.draw(List.of("heatshield: " + e.getMessage(), "It asks again; q ends it."));
      }
      int key = screen.key(Duration.ofSeconds(seconds));
      if (i == times || (key == 'q' && !typing)) {
        return;
      }
      hear(key, rows);
    }
  }

  private void hear(int key, List<HotTable.Row> rows) {
    if (key == ESCAPE && explained != null) {
      explained = null;
    } else if (key == ESCAPE) {
      typing = false;
      filter = "";
    } else if (typing) {
      type(key);
    } else if (key == '/') {
      typing = true;
      filter = "";
    } else if (key == 's') {
      sort = sort.next();
    } else if (key >= '1' && key <= '9' && key - '1' < rows.size()) {
      explained = rows.get(key - '1');
    }
  }

  private void type(int key) {
    if (key == '\n' || key == '\r') {
      typing = false;
    } else if (key == BACKSPACE && !filter.isEmpty()) {
      filter = filter.substring(0, filter.length() - 1);
    } else if (key >= ' ' && key < BACKSPACE) {
      filter += (char) key;
    }
  }

  private List<HotTable.Row> rows(Facts answer) {
    return HotTable.rows(answer, sort, filter, MOST_KEYS);
  }

  private List<String> page(Facts answer, List<HotTable.Row> rows) {
    var lines = new ArrayList<String>();
    String by = "by " + sort.name().toLowerCase(Locale.ROOT);
    lines.add(
        HotTable.summary(answer) + "  " + by + (filter.isEmpty() && !typing ? "" : ", /" + filter));
    lines.addAll(FleetLines.of(answer));
    lines.addAll(HotTable.lines(rows));
    return lines;
  }

  /** Puts the number that explains a row before it, and what can be pressed at the top. */
  private List<String> numbered(List<String> page) {
    var lines = new ArrayList<String>();
    lines.add(page.get(0));
    lines.add(typing ? "Type a prefix, Enter keeps it, Esc clears it." : KEYS);
    lines.add("   " + page.get(1));
    for (int i = 2; i < page.size(); i++) {
      lines.add((i < 2 + MOST_EXPLAINED ? (i - 1) + "  " : "   ") + page.get(i));
    }
    return lines;
  }

  private List<String> explanation(HotTable.Row row) {
    var lines = new ArrayList<String>(List.of("Esc goes back.", ""));
    ShownKey.path(row.key().text("key"))
        .ifPresentOrElse(
            path ->
                lines.addAll(ExplainText.lines(server.ask(ExplainCommand.at(path, row.scope())))),
            () -> lines.add("This key is too long to be asked about by its beginning alone."));
    return lines;
  }
}
