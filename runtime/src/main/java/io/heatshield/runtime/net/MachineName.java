package io.heatshield.runtime.net;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name of the machine, for people. */
public final class MachineName {
  private MachineName() {}

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
