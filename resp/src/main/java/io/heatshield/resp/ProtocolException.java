package io.heatshield.resp;

import java.io.Serial;

/**
 * Thrown if a peer violates the protocol or exceeds its limits. The connection must be closed after
 * one error reply.
 *
 * <p>The message is safe to send and to log: bytes of the peer are escaped in it.
 */
public final class ProtocolException extends Exception {
  @Serial private static final long serialVersionUID = 1;

  ProtocolException(String message) {
    super(message, null, false, false);
  }
}
