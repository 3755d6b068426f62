package io.heatshield.data.command.keys;

import io.heatshield.data.command.CommandException;
import io.heatshield.data.command.KeyCall;
import io.heatshield.store.engine.Value;
import java.util.HashSet;
import java.util.Set;

/** The options NX, XX, GT and LT of EXPIRE: when an expiry time may be set. */
record ExpireRule(boolean nx, boolean xx, boolean gt, boolean lt) {
  private static final Set<String> OPTIONS = Set.of("nx", "xx", "gt", "lt");

  static ExpireRule read(KeyCall call, int from) {
    var given = new HashSet<String>();
    for (int i = from; i < call.count(); i++) {
      if (!OPTIONS.contains(call.lower(i))) {
        throw new CommandException("ERR Unsupported option " + call.escaped(i, 128));
      }
      given.add(call.lower(i));
    }
    boolean gt = given.contains("gt");
    boolean lt = given.contains("lt");
    if (given.contains("nx") && given.size() > 1) {
      throw new CommandException(
          "ERR NX and XX, GT or LT options at the same time are not compatible");
    }
    if (gt && lt) {
      throw new CommandException("ERR GT and LT options at the same time are not compatible");
    }
    return new ExpireRule(given.contains("nx"), given.contains("xx"), gt, lt);
  }

  /** Returns whether a value may get this expiry time; without one it counts as infinite. */
  boolean allows(Value value, long expiresAt) {
    boolean expires = value.expires();
    return !(nx && expires)
        && !(xx && !expires)
        && !(gt && (!expires || expiresAt <= value.expiresAt()))
        && !(lt && expires && expiresAt >= value.expiresAt());
  }
}
