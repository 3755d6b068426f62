package io.heatshield.cli.view;

import java.io.IOException;
import java.io.InputStream;

/** Decodes keys of a terminal: characters, and constants for keys that send escape sequences. */
public final class TerminalKey {
  /** No key was pressed. */
  public static final int NONE = -1;

  /** The Esc key. */
  public static final int ESCAPE = 27;

  /** The Backspace key. */
  public static final int BACKSPACE = 127;

  /** The arrow up. */
  public static final int UP = 0x1001;

  /** The arrow down. */
  public static final int DOWN = 0x1002;

  /** The Page Up key. */
  public static final int PAGE_UP = 0x1003;

  /** The Page Down key. */
  public static final int PAGE_DOWN = 0x1004;

  /** The Home key. */
  public static final int HOME = 0x1005;

  /** The End key. */
  public static final int END = 0x1006;

  /** Any other key. */
  public static final int OTHER = 0x1fff;

  private static final int MOST = 16;

  private TerminalKey() {}

  /**
   * Returns the next key of a stream whose reads time out with -1. The bytes of an escape sequence
   * arrive together, so a timeout after Esc means the Esc key itself.
   */
  static int read(InputStream in) throws IOException {
    int first = in.read();
    if (first != ESCAPE) {
      return first;
    }
    int second = in.read();
    if (second < 0) {
      return ESCAPE;
    }
    if (second != '[' && second != 'O') {
      return OTHER;
    }
    var sequence = new StringBuilder();
    for (int i = 0; i < MOST; i++) {
      int next = in.read();
      if (next < 0) {
        return OTHER;
      }
      sequence.append((char) next);
      if (next >= '@' && next <= '~') {
        break;
      }
    }
    return switch (sequence.toString()) {
      case "A" -> UP;
      case "B" -> DOWN;
      case "5~" -> PAGE_UP;
      case "6~" -> PAGE_DOWN;
      case "H", "1~", "7~" -> HOME;
      case "F", "4~", "8~" -> END;
      default -> OTHER;
    };
  }
}
