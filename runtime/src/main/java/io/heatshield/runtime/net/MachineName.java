package io.heatshield.runtime.net;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The host name of the machine. */
public final class MachineName {
  private static final int MAX_LENGTH = 64;

  private MachineName() {}

  /** Returns the name of a connection to a Redis: {@code heatshield-role:machine-process}. */
  public static String ofConnection(String role) {
    String machine = get();
    String shown = machine.substring(0, Math.min(MAX_LENGTH, machine.length()));
    return "heatshield-" + role + ":" + shown + "-" + ProcessHandle.current().pid();
  }

  /** Returns the host name, made {@link #legal}. */
  public static String get() {
    try {
      return legal(InetAddress.getLocalHost().getHostName());
    } catch (UnknownHostException e) {
      return "node";
    }
  }

  /** Returns a name in which all but letters, digits and {@code _.-} are replaced. */
  public static String legal(String name) {
    return name.replaceAll("[^A-Za-z0-9_.-]", "_");
  }
}
