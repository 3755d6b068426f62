package io.heatshield.data.command;

import io.heatshield.redisbloom.StructureKind;
import io.heatshield.resp.Reply;
import io.heatshield.store.engine.Value;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Thrown by a command that replies with an error and has not changed anything. */
public final class CommandException extends RuntimeException {
  public static final String NOT_A_FLOAT = "ERR value is not a valid float";
  public static final String SYNTAX = "ERR syntax error";
  public static final String WRONG_TYPE =
      "WRONGTYPE Operation against a key holding the wrong kind of value";
  static final String NOT_AN_INTEGER = "ERR value is not an integer or out of range";

  @Serial private static final long serialVersionUID = 1;

  /** Creates an exception with the code and the text of the error. */
  public CommandException(String error) {
    super(error, null, false, false);
  }

  /** Throws if a key has a value: the given error if it is of the kind, otherwise WRONGTYPE. */
  public static void ifPresent(@Nullable Value value, StructureKind kind, String error) {
    if (value != null) {
      throw new CommandException(value.type() == kind.tag() ? error : WRONG_TYPE);
    }
  }

  public Reply reply() {
    return Reply.error(String.valueOf(getMessage()));
  }
}
