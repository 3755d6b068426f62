package io.heatshield.resp;

import java.io.Serial;

/**
 * The peer does not speak the protocol, or asks for more than its limits: one error, then the end.
 *
 * <p>The message is safe to send and to log; bytes of the peer stand in it escaped.
 */
public final class ProtocolException extends Exception {
  @Serial private static final long serialVersionUID = 1;

  ProtocolException(String message) {
    super(message, null, false, false);
  }
}
