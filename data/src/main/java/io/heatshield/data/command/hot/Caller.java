package io.heatshield.data.command.hot;

/** A client as the statistics of hot keys see it: name, host, and the keys it uses. */
public final class Caller {
  private final long id;
  private final String host;
  private final DistinctKeys keys;
  private String label;
  private int labelHash;
  private int random;
  private int untilSample;

  /**
   * Creates a caller without a name; for the client's event loop.
   *
   * @param id a unique ID of the connection
   * @param address its address, of which the port is ignored
   */
  public Caller(long id, String address, long nowNanos) {
    this.id = id;
    int port = address.lastIndexOf(':');
    host = port < 0 ? address : address.substring(0, port);
    keys = new DistinctKeys(nowNanos);
    random = Long.hashCode(id);
    label = host;
    labelHash = label.hashCode();
  }

  /** Sets the name, which may be empty. */
  public void name(String name) {
    label = name.isEmpty() ? host : name + "@" + host;
    labelHash = label.hashCode();
  }

  long id() {
    return id;
  }

  String label() {
    return label;
  }

  int labelHash() {
    return labelHash;
  }

  /** Returns the keys that the client uses. */
  public DistinctKeys keys() {
    return keys;
  }

  /**
   * Returns whether this use of a hot key is sampled: the first one, and then one after a random
   * number of uses, so that a client with a regular pattern cannot hide a key.
   */
  boolean isSampled(int every) {
    if (--untilSample > 0) {
      return false;
    }
    random = random * 1_664_525 + 1_013_904_223;
    untilSample = 1 + (int) (((random & 0xffff_ffffL) * (2L * every - 1)) >>> Integer.SIZE);
    return true;
  }
}
