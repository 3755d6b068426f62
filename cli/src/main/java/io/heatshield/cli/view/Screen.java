package io.heatshield.cli.view;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

/**
 * The whole terminal: draws pages on a screen of its own and reads single keys, until it is closed
 * and the terminal is as it was.
 */
public final class Screen implements AutoCloseable {
  private static final String ENTER = "\u001b[?1049h\u001b[?25l";
  private static final String LEAVE = "\u001b[?25h\u001b[?1049l";
  private static final String HOME = "\u001b[H";
  private static final String REST_OF_LINE = "\u001b[K";
  private static final String REST_OF_SCREEN = "\u001b[J";

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
   * @throws IOException if there is none, or it cannot be set to send single keys
   */
  public static Screen open(PrintWriter out) throws IOException {
    String before = Terminal.stty("-g");
    var keys = new FileInputStream(Terminal.DEVICE.toFile());
    // A read comes back after a tenth of a second, with a key or with nothing.
    Terminal.stty("-icanon", "-echo", "min", "0", "time", "1");
    out.print(ENTER);
    out.flush();
    return new Screen(out, keys, before);
  }

  /** Returns the present size of the terminal. */
  public Terminal.Size size() {
    return Terminal.size();
  }

  /** Draws these lines from the top, as many and as much of each as there is room for. */
  public void draw(List<String> lines, Terminal.Size size) {
    var page = new StringBuilder(HOME);
    for (int i = 0; i < Math.min(size.lines(), lines.size()); i++) {
      page.append(i == 0 ? "" : "\r\n");
      // What follows a full line on a terminal would be the line's own last column.
      page.append(REST_OF_LINE).append(CellWidth.cut(lines.get(i), size.columns()));
    }
    boolean full = lines.size() >= size.lines();
    out.print(page.append(full ? "" : "\r\n" + REST_OF_SCREEN));
    out.flush();
  }

  /** Waits for a key, at most this long, and returns it or {@link Key#NONE}. */
  public int key(Duration most) throws IOException {
    long end = System.nanoTime() + most.toNanos();
    do {
      int key = Key.read(keys);
      if (key != Key.NONE) {
        return key;
      }
    } while (System.nanoTime() - end < 0);
    return Key.NONE;
  }

  @Override
  public void close() throws IOException {
    out.print(LEAVE);
    out.flush();
    keys.close();
    Terminal.stty(before);
  }
}
