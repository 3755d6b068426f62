package io.heatshield.server.command;

import java.util.ArrayList;
import java.util.List;

/**
 * The commands of a transaction that was begun with MULTI, at most {@value #MAX_COMMANDS} of them
 * and {@value #MAX_BYTES} bytes.
 */
final class Queue {
  static final int MAX_COMMANDS = 10_000;
  static final long MAX_BYTES = 16 << 20;

  /** A command that waits. */
  @SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
  record Entry(Command command, byte[][] words) {}

  private final List<Entry> entries = new ArrayList<>();
  private long bytes;
  private boolean spoiled;

  /** Takes a command, and returns whether there was room for it. */
  boolean add(Command command, byte[][] words) {
    for (byte[] word : words) {
      bytes += word.length;
    }
    if (entries.size() == MAX_COMMANDS || bytes > MAX_BYTES) {
      return false;
    }
    entries.add(new Entry(command, words));
    return true;
  }

  List<Entry> entries() {
    return entries;
  }

  /** Makes EXEC refuse, because a command could not be queued. */
  void spoil() {
    spoiled = true;
    entries.clear();
  }

  boolean isSpoiled() {
    return spoiled;
  }
}
