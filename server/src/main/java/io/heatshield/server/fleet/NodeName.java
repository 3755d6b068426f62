package io.heatshield.server.fleet;

import io.heatshield.runtime.net.MachineName;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The name of a node: one for people, and six digits that no other process has drawn. */
public final class NodeName {
  private static final int MOST = 48;

  private NodeName() {}

  /** Returns a name that begins as given, or with the machine's name. */
  public static String draw(@Nullable String given) {
    byte[] drawn = new byte[3];
    new SecureRandom().nextBytes(drawn);
    String shown = given == null ? MachineName.get() : MachineName.legal(given);
    return shown.substring(0, Math.min(MOST, shown.length()))
        + "-"
        + HexFormat.of().formatHex(drawn);
  }
}
