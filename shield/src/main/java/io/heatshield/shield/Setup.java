package io.heatshield.shield;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client has made of its connection and what each new connection to a server of a cluster
 * must be made of too: who it is, which protocol it speaks, what it calls itself. For the client's
 * event loop.
 *
 * <p>These are the commands as the client sent them, passwords among them; they are never shown.
 */
final class Setup {
  private static final int MAX_BYTES = 16 << 10;

  private final Map<String, byte[]> commands = new LinkedHashMap<>();

  /** Returns the commands in their order. */
  List<byte[]> commands() {
    return new ArrayList<>(commands.values());
  }

  void clear() {
    commands.clear();
  }

  /** Takes over a command that is sent now; if it turns out to fail, what was before counts. */
  void take(String name, byte[] bytes, Pending pending) {
    if (bytes.length > MAX_BYTES) {
      return;
    }
    byte[] before = put(name, bytes);
    Pending.Outcome outcome = pending.outcome;
    pending.outcome =
        done -> {
          if (outcome != null) {
            outcome.told(done);
          }
          if (!done && commands.get(name) == bytes) {
            put(name, before);
          }
        };
  }

  private byte @Nullable [] put(String name, byte @Nullable [] bytes) {
    byte[] before = commands.remove(name);
    if (bytes != null) {
      commands.put(name, bytes);
    }
    return before;
  }
}
