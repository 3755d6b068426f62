package io.heatshield.server.fleet;

import io.heatshield.runtime.net.MachineName;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Generates node names: a readable name and six random hexadecimal digits. */
public final class NodeName {
  private static final int MAX_LENGTH = 48;

  private NodeName() {}

  /** Returns a new name that starts with the given one, or with the machine's name. */
  public static String generate(@Nullable String given) {
    byte[] random = new byte[3];
    new SecureRandom().nextBytes(random);
    String prefix = given == null ? MachineName.get() : MachineName.legal(given);
    return prefix.substring(0, Math.min(MAX_LENGTH, prefix.length()))
        + "-"
        + HexFormat.of().formatHex(random);
  }
}
