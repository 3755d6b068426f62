package io.heatshield.server.net;

import java.io.IOException;
import java.io.Serial;
import java.net.InetSocketAddress;

/**
 * A door could not have the address it was told to listen on.
 *
 * <p>The message names the address and the reason; whoever knows which setting holds the address
 * adds its name.
 */
public final class AddressTakenException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  /** Creates the error of one address, with what the system said. */
  public AddressTakenException(InetSocketAddress address, Throwable cause) {
    super("cannot listen on " + Transport.text(address) + ": " + cause.getMessage(), cause);
  }
}
