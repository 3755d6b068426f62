package io.heatshield.data.command.session;

import org.jspecify.annotations.Nullable;

/** Knows the users of the data door. Any thread may ask. */
public interface Authenticator {

  /** Returns the user that a client is without a password, or null if there is none. */
  @Nullable User unauthenticated();

  /** Returns the user of a name and a password, or null if they do not fit. */
  @Nullable User find(String name, byte[] password);
}
