package io.heatshield.data.command;

import io.heatshield.data.command.hot.HotContext;
import io.heatshield.data.command.session.Session;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One command from one client, on its way. */
public final class Call {
  private final Realm realm;
  private final Session session;
  private final Command command;
  private final byte[][] words;
  private final long hash;
  private @Nullable Row row;

  Call(Realm realm, Session session, Command command, byte[][] words, long hash) {
    this.realm = realm;
    this.session = session;
    this.command = command;
    this.words = words;
    this.hash = hash;
  }

  /** Returns what all clients share. */
  public Realm realm() {
    return realm;
  }

  /** Returns the client. */
  public Session session() {
    return session;
  }

  /** Returns the command. */
  public Command command() {
    return command;
  }

  /** Returns whether there is no such command. */
  @SuppressWarnings("ReferenceEquality")
  public boolean isUnknown() {
    return command == Command.UNKNOWN;
  }

  /**
   * Takes this call into the row of the one that the same client made before it, if both are the
   * same command on the same one key.
   */
  @SuppressWarnings("ReferenceEquality")
  public void follow(Call before) {
    if (hash != before.hash || command != before.command) {
      return;
    }
    int only = command.onlyKey(words.length);
    if (only != 0 && only < before.count() && Arrays.equals(words[only], before.words[only])) {
      if (before.row == null) {
        before.row = new Row();
      }
      row = before.row;
      row.left++;
    }
  }

  /** Returns the row that it is in, or null if it stands alone. */
  @Nullable Row row() {
    return row;
  }

  /** Returns the hash of its only key, which all stores share; 0 if it has not one alone. */
  public long hash() {
    return hash;
  }

  /** Returns all words, the name included. */
  public byte[][] words() {
    return words;
  }

  /** Returns the number of words, the name included. */
  public int count() {
    return words.length;
  }

  /** Returns a word. */
  public byte[] word(int place) {
    return words[place];
  }

  /** Returns a word as text. */
  public String text(int place) {
    return new String(words[place], StandardCharsets.UTF_8);
  }

  /** Returns whether a word is an option, in any case. */
  public boolean is(int place, String option) {
    return Words.is(words[place], option);
  }

  /** Returns the store that the client has selected. */
  public OpenStore store() {
    return session.store();
  }

  /**
   * Calls in a row by one command on one key. The first that runs counts the key for itself and for
   * all behind it, which then need not: a key that is used that often should cost less, not more.
   */
  static final class Row {
    private int left = 1;
    private boolean counted;
    private @Nullable HotContext hot;

    /** Returns how many uses the next call of the row has to count. */
    int uses() {
      return counted ? 0 : left;
    }

    /** Takes note that a call has counted, and what was found. */
    void counted(@Nullable HotContext found) {
      counted = true;
      hot = found;
    }

    /** Takes note that a call runs, which has counted or need not. */
    void ran() {
      left--;
    }

    @Nullable HotContext hot() {
      return hot;
    }
  }
}
