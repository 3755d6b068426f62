package io.heatshield.shield;

import io.heatshield.shield.ReplyEffects.OnReply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The commands with which a client has configured its connection, for example AUTH and HELLO. Each
 * new connection to a server of a cluster is configured with them. For the client's event loop.
 *
 * <p>They are kept as the client sent them, including passwords, and never shown.
 */
final class ConnectionSetup {
  private static final int MAX_BYTES = 16 << 10;

  private final Map<String, byte[]> commands = new LinkedHashMap<>();

  /** Returns the commands in their order. */
  List<byte[]> commands() {
    return new ArrayList<>(commands.values());
  }

  void clear() {
    commands.clear();
  }

  /** Adds a command that is sent now; the returned action undoes that if it fails. */
  OnReply add(String name, byte[] bytes) {
    if (bytes.length > MAX_BYTES) {
      return OnReply.NOTHING;
    }
    byte[] before = replace(name, bytes);
    return success -> {
      if (!success && commands.get(name) == bytes) {
        replace(name, before);
      }
    };
  }

  private byte @Nullable [] replace(String name, byte @Nullable [] bytes) {
    byte[] before = commands.remove(name);
    if (bytes != null) {
      commands.put(name, bytes);
    }
    return before;
  }
}
