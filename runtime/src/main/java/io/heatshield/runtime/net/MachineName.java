package io.heatshield.runtime.net;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name of the machine, for people. */
public final class MachineName {
  private static final int MOST_SHOWN = 64;

  private MachineName() {}

  /** Returns the name of connections to a Redis: {@code heatshield-role:machine-process}. */
  public static String ofConnection(String role) {
    String machine = get();
    String shown = machine.substring(0, Math.min(MOST_SHOWN, machine.length()));
    return "heatshield-" + role + ":" + shown + "-" + ProcessHandle.current().pid();
  }

  /** Returns the host name, in letters, digits and {@code _.-} only. */
  public static String get() {
    try {
      return legal(InetAddress.getLocalHost().getHostName());
    } catch (UnknownHostException e) {
      return "node";
    }
  }

  /** Returns a name with every other character than letters, digits and {@code _.-} replaced. */
  public static String legal(String name) {
    return name.replaceAll("[^A-Za-z0-9_.-]", "_");
  }
}
