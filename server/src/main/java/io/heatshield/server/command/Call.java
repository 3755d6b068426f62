package io.heatshield.server.command;

import java.nio.charset.StandardCharsets;

/** One command from one client, on its way. */
public final class Call {
  private final Realm realm;
  private final Session session;
  private final Command command;
  private final byte[][] words;
  private final long hash;

  Call(Realm realm, Session session, Command command, byte[][] words, long hash) {
    this.realm = realm;
    this.session = session;
    this.command = command;
    this.words = words;
    this.hash = hash;
  }

  /** Returns what all clients share. */
  Realm realm() {
    return realm;
  }

  /** Returns the client. */
  Session session() {
    return session;
  }

  /** Returns the command. */
  Command command() {
    return command;
  }

  /** Returns whether there is no such command. */
  @SuppressWarnings("ReferenceEquality")
  public boolean isUnknown() {
    return command == Command.UNKNOWN;
  }

  /** Returns the hash of its only key, which all stores share; 0 if it has not one alone. */
  long hash() {
    return hash;
  }

  /** Returns all words, the name included. */
  byte[][] words() {
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
  OpenStore store() {
    return session.store();
  }
}
