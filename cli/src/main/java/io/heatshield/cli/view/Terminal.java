package io.heatshield.cli.view;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The terminal of the process, if there is one. */
public final class Terminal {
  static final Path DEVICE = Path.of("/dev/tty");

  /** The launcher sets this property if standard output is a terminal. */
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

  /** Returns the width of the terminal, or no limit if standard output is not a terminal. */
  public static int width() {
    return isOutput() ? size().columns() : TextTable.UNLIMITED;
  }

  /** Returns the current size; 24 lines of 80 columns if unknown. */
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

  /** Runs {@code stty} on the terminal and returns its output. */
  static String stty(String... words) throws IOException {
    var command = new ProcessBuilder("stty");
    command.command().addAll(List.of(words));
    Process process = command.redirectInput(DEVICE.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("stty failed: " + output.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return output.strip();
  }
}
