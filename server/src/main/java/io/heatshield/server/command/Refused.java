package io.heatshield.server.command;

import io.heatshield.resp.Reply;
import java.io.Serial;

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

  Reply reply() {
    return Reply.error(String.valueOf(getMessage()));
  }
}
