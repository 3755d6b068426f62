package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.heatshield.detect.HotKeyDetector;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code heatshield top} on real pseudo-terminals; skipped where Python has none. */
@Timeout(180)
class TopTerminalIT {
  private static final String NASTY = "<b>\u001b[2Jcart\n\u202e";

  /** Starts a program on a terminal, waits for texts and presses keys; prints what was drawn. */
  private static final String DRIVER =
      """
      import fcntl, os, pty, select, struct, sys, termios, time
      steps, command = sys.argv[1].split("|"), sys.argv[3:]
      lines, columns = sys.argv[2].split("x")
      child, terminal = pty.fork()
      if child == 0:
          os.execvp(command[0], command)
      fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", int(lines), int(columns), 0, 0))
      drawn, since, end = b"", 0, time.time() + 120
      def more():
          global drawn
          if select.select([terminal], [], [], 0.2)[0]:
              try:
                  piece = os.read(terminal, 65536)
              except OSError:
                  return False
              drawn += piece
              return bool(piece)
          return time.time() < end
      for step in steps:
          wanted, key = step.split("=>")
          while wanted.encode() not in drawn[since:]:
              if not more():
                  sys.stdout.buffer.write(drawn + b"\\nNEVER CAME: " + wanted.encode())
                  sys.exit(1)
          since = len(drawn)
          os.write(terminal, key.replace("DOWN", "\\x1b[B").replace("END", "\\x1b[F").replace("ESC", "\\x1b").replace("RET", "\\r").encode())
      while more():
          pass
      sys.stdout.buffer.write(drawn)
      sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
      """;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private LocalServer server;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(hasTerminals(), "there is no python3 with pseudo-terminals on this machine");
    server = LocalServer.start(folder, "");
    server.heat("cart:42", NASTY);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void top_onATerminal_sortsFiltersExplainsAndEnds() throws Exception {
    Outcome outcome =
        drive(
            "24x90",
            "by rate=>s|by share=>/|Type a prefix=>cart:|/cart:=>RET|q quits=>1"
                + "|baseline=>ESC|q quits=>q");

    assertThat(outcome.code()).as(outcome.drawn()).isZero();
    assertThat(outcome.drawn())
        .contains("2 keys are hot.", "1  cart:42", "Keys of this scope are only counted")
        .contains("\\x1b[2Jcart\\x0a")
        .startsWith("\u001b[?1049h")
        .contains("\u001b[?25h\u001b[?1049l");
    String text = outcome.drawn().replaceAll("\u001b\\[(\\?1049[hl]|\\?25[hl]|H|K|J)", "");
    assertThat(text).doesNotContain("\u001b", "\u202e");
    assertThat(text.replaceAll("[\r\n]", "").chars().noneMatch(Character::isISOControl)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"24x80", "40x120", "15x60"})
  void top_onScreensOfThreeSizes_scrollsAndWrapsNoLine(String size) throws Exception {
    HotKeyDetector shop = server.server().scopes().open("shop");
    for (int key = 0; key < 60; key++) {
      for (int i = 0; i < 10 + key; i++) {
        shop.touch("user:profile:with:a:name:that:is:long:" + key);
      }
    }

    Outcome outcome = drive(size, "1-=>DOWN|2-=>END| of 63=>q");

    assertThat(outcome.code()).as(outcome.drawn()).isZero();
    int columns = Integer.parseInt(size.replaceFirst(".*x", ""));
    assertThat(outcome.drawn().split("\r*\n|\u001b\\[H", -1))
        .allMatch(
            line -> line.replaceAll("\u001b\\[[?0-9]*[a-zA-Z]", "").length() <= columns,
            "at most " + columns + " columns");
  }

  private record Outcome(int code, String drawn) {}

  private Outcome drive(String size, String steps) throws Exception {
    Path driver = Files.writeString(folder.resolve("driver.py"), DRIVER);
    var command = new ArrayList<String>(List.of("python3", driver.toString(), steps, size));
    command.addAll(
        HeatshieldProcess.command("top", "--interval=1", "--url=" + server.url())
            .options("-Dheatshield.stdout.tty=true")
            .words());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String drawn = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), drawn);
  }

  private static boolean hasTerminals() throws InterruptedException {
    try {
      return new ProcessBuilder("python3", "-c", "import pty, os; os.waitstatus_to_exitcode")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
