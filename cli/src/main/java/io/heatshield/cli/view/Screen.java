package io.heatshield.cli.view;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The whole terminal: draws pages on a screen of its own and hears single keys, until it is closed
 * and the terminal is as it was.
 */
public final class Screen implements AutoCloseable {
  /** What {@link #key} returns if no key was pressed. */
  public static final int NONE = -1;

  private static final Path TERMINAL = Path.of("/dev/tty");
  private static final String ENTER = "\u001b[?1049h\u001b[?25l";
  private static final String LEAVE = "\u001b[?25h\u001b[?1049l";
  private static final String HOME = "\u001b[H";
  private static final String REST_OF_LINE = "\u001b[K";
  private static final String REST_OF_SCREEN = "\u001b[J";
  private static final int LINES = 24;
  private static final int COLUMNS = 80;

  private final PrintWriter out;
  private final FileInputStream keys;
  private final String before;

  private Screen(PrintWriter out, FileInputStream keys, String before) {
    this.out = out;
    this.keys = keys;
    this.before = before;
  }

  /**
   * Takes the terminal.
   *
   * @throws IOException if there is none, or it cannot be told to send single keys
   */
  public static Screen open(PrintWriter out) throws IOException {
    String before = stty("-g");
    var keys = new FileInputStream(TERMINAL.toFile());
    // A read comes back after a tenth of a second, with a key or with nothing.
    stty("-icanon", "-echo", "min", "0", "time", "1");
    out.print(ENTER);
    out.flush();
    return new Screen(out, keys, before);
  }

  /** Draws these lines from the top, as many and as much of each as there is room for. */
  public void draw(List<String> lines) throws IOException {
    int[] size = size();
    int most = size[0];
    int width = size[1];
    var page = new StringBuilder(HOME);
    for (int i = 0; i < Math.min(most, lines.size()); i++) {
      String line = lines.get(i);
      page.append(i == 0 ? "" : "\r\n");
      page.append(line, 0, Math.min(line.length(), width)).append(REST_OF_LINE);
    }
    out.print(page.append(REST_OF_SCREEN));
    out.flush();
  }

  /** Draws these lines from the top, and goes on in the next line where one is too long. */
  public void drawWhole(List<String> lines) throws IOException {
    int width = size()[1];
    var pieces = new ArrayList<String>();
    for (String line : lines) {
      int from = 0;
      do {
        int to = Math.min(line.length(), from + width);
        pieces.add(line.substring(from, to));
        from = to;
      } while (from < line.length());
    }
    draw(pieces);
  }

  /** Waits for a key, at most this long, and returns it or {@link #NONE}. */
  public int key(Duration most) throws IOException {
    long end = System.nanoTime() + most.toNanos();
    do {
      int key = keys.read();
      if (key >= 0) {
        return key;
      }
    } while (System.nanoTime() < end);
    return NONE;
  }

  @Override
  public void close() throws IOException {
    out.print(LEAVE);
    out.flush();
    keys.close();
    stty(before);
  }

  /** Returns lines and columns. */
  private static int[] size() throws IOException {
    String[] size = stty("size").split(" ", -1);
    return size.length == 2
        ? new int[] {number(size[0], LINES), number(size[1], COLUMNS)}
        : new int[] {LINES, COLUMNS};
  }

  private static int number(String text, int otherwise) {
    return text.matches("[1-9][0-9]{0,4}") ? Integer.parseInt(text) : otherwise;
  }

  private static String stty(String... words) throws IOException {
    var command = new ProcessBuilder("stty");
    command.command().addAll(List.of(words));
    Process process = command.redirectInput(TERMINAL.toFile()).redirectErrorStream(true).start();
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
