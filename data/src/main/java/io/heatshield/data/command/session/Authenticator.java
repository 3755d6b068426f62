package io.heatshield.data.command.session;

import org.jspecify.annotations.Nullable;

/** Finds users by name and password. Any thread may call. */
public interface Authenticator {

  /** Returns the user of a client without a password, or null if a password is required. */
  @Nullable User unauthenticated();

  /** Returns the user with a name and a password, or null if they do not match. */
  @Nullable User find(String name, byte[] password);
}
