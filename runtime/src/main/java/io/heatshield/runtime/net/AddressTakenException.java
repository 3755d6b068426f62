package io.heatshield.runtime.net;

import java.io.IOException;
import java.io.Serial;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import java.util.Locale;

/**
 * Thrown if a server cannot listen on its address.
 *
 * <p>The message has the address and the reason; the caller adds the name of the setting.
 */
public final class AddressTakenException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  /** Creates the exception for an address. */
  public AddressTakenException(InetSocketAddress address, Throwable cause) {
    super("cannot listen on " + Transport.text(address) + ": " + reason(cause), cause);
  }

  /** Returns the reason without the text that the native transport adds to it. */
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
