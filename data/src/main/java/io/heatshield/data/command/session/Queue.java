package io.heatshield.data.command.session;

import io.heatshield.data.command.Call;
import java.util.ArrayList;
import java.util.List;

/**
 * The commands of a transaction that was begun with MULTI, at most {@value #MAX_COMMANDS} of them
 * and {@value #MAX_BYTES} bytes.
 */
public final class Queue {
  static final int MAX_COMMANDS = 10_000;
  static final long MAX_BYTES = 16 << 20;

  private final List<Call> calls = new ArrayList<>();
  private long bytes;
  private boolean spoiled;

  /** Takes a call, and returns whether there was room for it. */
  public boolean add(Call call) {
    for (byte[] word : call.words()) {
      bytes += word.length;
    }
    if (calls.size() == MAX_COMMANDS || bytes > MAX_BYTES) {
      return false;
    }
    calls.add(call);
    return true;
  }

  List<Call> calls() {
    return calls;
  }

  /** Makes EXEC refuse, because a command could not be queued. */
  public void spoil() {
    spoiled = true;
    calls.clear();
  }

  boolean isSpoiled() {
    return spoiled;
  }
}
