package io.heatshield.data.command;

import io.heatshield.redisbloom.StructureKind;
import io.heatshield.resp.Reply;
import io.heatshield.store.engine.Value;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A command that is answered with an error before it has changed anything. */
final class Refused extends RuntimeException {
  static final String NOT_AN_INTEGER = "ERR value is not an integer or out of range";
  static final String NOT_A_FLOAT = "ERR value is not a valid float";
  static final String SYNTAX = "ERR syntax error";
  static final String WRONG_TYPE =
      "WRONGTYPE Operation against a key holding the wrong kind of value";

  @Serial private static final long serialVersionUID = 1;

  /** Creates a refusal with the error's code and text. */
  Refused(String error) {
    super(error, null, false, false);
  }

  /** Refuses if something is held: with an error if it is of a kind, else for its type. */
  static void ifHeld(@Nullable Value held, StructureKind kind, String error) {
    if (held != null) {
      throw new Refused(held.type() == kind.tag() ? error : WRONG_TYPE);
    }
  }

  Reply reply() {
    return Reply.error(String.valueOf(getMessage()));
  }
}
