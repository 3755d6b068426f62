package io.heatshield.cli.view;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

/** The alternate screen of the terminal, with unbuffered keys. Closing it restores the terminal. */
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
   * Switches to the alternate screen.
   *
   * @throws IOException if there is no terminal or its mode cannot be changed
   */
  public static Screen open(PrintWriter out) throws IOException {
    String before = Terminal.stty("-g");
    var keys = new FileInputStream(Terminal.DEVICE.toFile());
    // A read returns after 0.1 s, with or without a key.
    Terminal.stty("-icanon", "-echo", "min", "0", "time", "1");
    out.print(ENTER);
    out.flush();
    return new Screen(out, keys, before);
  }

  /** Returns the current size of the terminal. */
  public Terminal.Size size() {
    return Terminal.size();
  }

  /** Draws lines from the top, truncated to the size of the screen. */
  public void draw(List<String> lines, Terminal.Size size) {
    var page = new StringBuilder(HOME);
    for (int i = 0; i < Math.min(size.lines(), lines.size()); i++) {
      page.append(i == 0 ? "" : "\r\n");
      // Clears the line first: after a full line, clearing would erase its last column.
      page.append(REST_OF_LINE).append(CellWidth.cut(lines.get(i), size.columns()));
    }
    boolean full = lines.size() >= size.lines();
    out.print(page.append(full ? "" : "\r\n" + REST_OF_SCREEN));
    out.flush();
  }

  /** Waits for a key and returns it, or {@link TerminalKey#NONE} after the timeout. */
  public int key(Duration timeout) throws IOException {
    long end = System.nanoTime() + timeout.toNanos();
    do {
      int key = TerminalKey.read(keys);
      if (key != TerminalKey.NONE) {
        return key;
      }
    } while (System.nanoTime() - end < 0);
    return TerminalKey.NONE;
  }

  @Override
  public void close() throws IOException {
    out.print(LEAVE);
    out.flush();
    keys.close();
    Terminal.stty(before);
  }
}
