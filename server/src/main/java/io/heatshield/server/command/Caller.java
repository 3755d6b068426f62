package io.heatshield.server.command;

/** Who uses keys, as hot keys put it down: a name and a host. For the client's event loop. */
public final class Caller {
  private final String host;
  private String label;
  private int labelHash;
  private int sampled;

  /** Creates a caller without a name at an address, of which the port does not count. */
  public Caller(String address) {
    int port = address.lastIndexOf(':');
    host = port < 0 ? address : address.substring(0, port);
    label = host;
    labelHash = label.hashCode();
  }

  /** Sets the name; an empty one is none. */
  public void name(String name) {
    label = name.isEmpty() ? host : name + "@" + host;
    labelHash = label.hashCode();
  }

  String label() {
    return label;
  }

  int labelHash() {
    return labelHash;
  }

  /** Returns whether this use of a hot key is the one of several that is put down to its client. */
  boolean isSampled(int every) {
    return sampled++ % every == 0;
  }
}
