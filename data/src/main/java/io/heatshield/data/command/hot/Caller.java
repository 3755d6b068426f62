package io.heatshield.data.command.hot;

import io.heatshield.data.command.Command;
import org.jspecify.annotations.Nullable;

/**
 * Who uses keys, as hot keys put it down: a name and a host, and how many keys it uses.
 *
 * <p>Uses of one hot key by one command in a row are gathered and put down together: with the first
 * that is not of the row, and by {@link #settle}, which the connection calls before it sends what
 * it has answered. For the client's event loop.
 */
public final class Caller {
  private final long id;
  private final String host;
  private final KeySpread spread;
  private String label;
  private int labelHash;
  private int random;
  private int untilSample;
  private @Nullable HotContext context;
  private @Nullable Command command;
  private long uses;
  private long bytes;

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
  public KeySpread spread() {
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

  /** Puts a use of a hot key to the row, or begins another. */
  @SuppressWarnings("ReferenceEquality")
  void use(HotContext of, Command by, long size) {
    if (context != of || command != by) {
      settle();
      context = of;
      command = by;
    }
    uses++;
    bytes += size;
  }

  /** Puts down what was sent in answer to a use of a hot key. */
  @SuppressWarnings("ReferenceEquality")
  public void answered(HotContext of, long size) {
    if (context == of) {
      bytes += size;
    } else {
      of.answered(size, false);
    }
  }

  /** Puts down what was gathered. */
  public void settle() {
    HotContext of = context;
    Command by = command;
    if (of != null && by != null) {
      of.add(by, uses, bytes);
    }
    context = null;
    command = null;
    uses = 0;
    bytes = 0;
  }
}
