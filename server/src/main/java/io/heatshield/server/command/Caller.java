package io.heatshield.server.command;

/**
 * Who uses keys, as hot keys put it down: a name and a host, and how many keys it uses.
 *
 * <p>For the client's event loop.
 */
public final class Caller {
  private final long id;
  private final String host;
  private final KeySpread spread;
  private String label;
  private int labelHash;
  private int random;
  private int untilSample;

  /**
   * Creates a caller without a name.
   *
   * @param id what no other connection has
   * @param address its address, of which the port does not count
   */
  public Caller(long id, String address, long nowNanos) {
    this.id = id;
    int port = address.lastIndexOf(':');
    host = port < 0 ? address : address.substring(0, port);
    spread = new KeySpread(nowNanos);
    label = host;
    labelHash = label.hashCode();
    random = Long.hashCode(id);
  }

  /** Sets the name; an empty one is none. */
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

  /** Returns how many keys the client uses. */
  KeySpread spread() {
    return spread;
  }

  /**
   * Returns whether this use of a hot key is the one of several that is put down to its client: the
   * first is, and then one after a number drawn by chance, so that no rhythm hides a key.
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
