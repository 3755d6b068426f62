package io.heatshield.cli.view;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The terminal that the command writes to, if there is one. */
public final class Terminal {
  static final Path DEVICE = Path.of("/dev/tty");

  /** Set by the launcher if standard output is a terminal. */
  private static final String PROPERTY = "heatshield.stdout.tty";

  private static final int LINES = 24;
  private static final int COLUMNS = 80;

  private Terminal() {}

  /** The size of a terminal. */
  public record Size(int lines, int columns) {}

  /** Returns whether standard output is a terminal. */
  public static boolean isOutput() {
    return Boolean.getBoolean(PROPERTY);
  }

  /** Returns how wide a line may be: as the terminal is, or without a limit elsewhere. */
  public static int width() {
    return isOutput() ? size().columns() : TextTable.UNLIMITED;
  }

  /** Returns the present size; 24 lines of 80 columns if the terminal does not say. */
  static Size size() {
    try {
      String[] size = stty("size").split(" ", -1);
      return size.length == 2
          ? new Size(number(size[0], LINES), number(size[1], COLUMNS))
          : new Size(LINES, COLUMNS);
    } catch (IOException e) {
      return new Size(LINES, COLUMNS);
    }
  }

  private static int number(String text, int otherwise) {
    return text.matches("[1-9][0-9]{0,4}") ? Integer.parseInt(text) : otherwise;
  }

  /** Runs {@code stty} on the terminal and returns what it prints. */
  static String stty(String... words) throws IOException {
    var command = new ProcessBuilder("stty");
    command.command().addAll(List.of(words));
    Process process = command.redirectInput(DEVICE.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("stty failed: " + said.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return said.strip();
  }
}
