package io.heatshield.data.command;

import io.heatshield.store.engine.Value;

/** When EXPIRE and its kin may set an end: NX, XX, GT and LT. */
record ExpireRule(boolean nx, boolean xx, boolean gt, boolean lt) {

  static ExpireRule read(KeyCall call, int from) {
    boolean nx = false;
    boolean xx = false;
    boolean gt = false;
    boolean lt = false;
    for (int i = from; i < call.count(); i++) {
      if (call.is(i, "nx")) {
        nx = true;
      } else if (call.is(i, "xx")) {
        xx = true;
      } else if (call.is(i, "gt")) {
        gt = true;
      } else if (call.is(i, "lt")) {
        lt = true;
      } else {
        throw new Refused("ERR Unsupported option " + Words.shown(call.word(i), 128));
      }
    }
    if (nx && (xx || gt || lt)) {
      throw new Refused("ERR NX and XX, GT or LT options at the same time are not compatible");
    }
    if (gt && lt) {
      throw new Refused("ERR GT and LT options at the same time are not compatible");
    }
    return new ExpireRule(nx, xx, gt, lt);
  }

  /** Returns whether a value may get this end; a value without one counts as endless. */
  boolean allows(Value value, long end) {
    boolean ends = value.expires();
    return !(nx && ends)
        && !(xx && !ends)
        && !(gt && (!ends || end <= value.expiresAt()))
        && !(lt && ends && end >= value.expiresAt());
  }
}
