package io.heatshield.testkit.net;

/**
 * The fault that a proxy injects into bytes and connections.
 *
 * <p>Faults are compared by identity: setting an equal fault again resets its count of bytes.
 */
final class Fault {
  final Kind kind;
  final long nanos;
  final long bytes;

  private Fault(Kind kind, long nanos, long bytes) {
    this.kind = kind;
    this.nanos = nanos;
    this.bytes = bytes;
  }

  static Fault of(Kind kind) {
    return new Fault(kind, 0, 0);
  }

  static Fault waiting(Kind kind, long nanos) {
    return new Fault(kind, nanos, 0);
  }

  static Fault cutting(Kind kind, long bytes) {
    return new Fault(kind, 0, bytes);
  }

  /** The kinds of faults. */
  enum Kind {
    PASS,
    DELAY,
    DRIBBLE,
    CUT_REPLY,
    CUT_REQUEST,
    BLACK_HOLE,
    REFUSE
  }
}
