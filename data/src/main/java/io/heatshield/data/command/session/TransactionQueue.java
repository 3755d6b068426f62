package io.heatshield.data.command.session;

import io.heatshield.data.command.Call;
import java.util.ArrayList;
import java.util.List;

/**
 * The queued commands of a transaction, at most {@value #MAX_COMMANDS} of them and {@value
 * #MAX_BYTES} bytes.
 */
public final class TransactionQueue {
  static final int MAX_COMMANDS = 10_000;
  static final long MAX_BYTES = 16 << 20;

  private final List<Call> calls = new ArrayList<>();
  private long bytes;
  private boolean failed;

  /** Adds a call; returns false if there is no room. */
  public boolean add(Call call) {
    for (byte[] arg : call.args()) {
      bytes += arg.length;
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

  /** Makes EXEC fail, because a command could not be queued. */
  public void fail() {
    failed = true;
    calls.clear();
  }

  boolean isFailed() {
    return failed;
  }
}
