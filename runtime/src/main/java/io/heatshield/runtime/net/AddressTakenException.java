package io.heatshield.runtime.net;

import java.io.IOException;
import java.io.Serial;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import java.util.Locale;

/**
 * A server could not listen on the address that it was given.
 *
 * <p>The message names the address and the reason; whoever knows which setting holds the address
 * adds its name.
 */
public final class AddressTakenException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  /** Creates the error of one address, with what the system said. */
  public AddressTakenException(InetSocketAddress address, Throwable cause) {
    super("cannot listen on " + Transport.text(address) + ": " + reason(cause), cause);
  }

  /** Returns the system's words without what the native transport writes around them. */
  private static String reason(Throwable cause) {
    String text = String.valueOf(cause.getMessage());
    for (String known :
        List.of(
            "Address already in use",
            "Permission denied",
            "Cannot assign requested address",
            "Name or service not known")) {
      if (text.contains(known)) {
        return known.toLowerCase(Locale.ROOT);
      }
    }
    return cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException
        ? "host not found"
        : text;
  }
}
