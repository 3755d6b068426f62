package io.heatshield.data;

import io.heatshield.config.settings.UserSettings;
import io.heatshield.data.command.session.Authenticator;
import io.heatshield.data.command.session.User;
import io.heatshield.runtime.secret.SecretFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users of the data port, with passwords in files that are reloaded when they change.
 *
 * <p>Without configured users every client is {@code default}, and no client is an admin unless it
 * authenticates as {@value #ADMIN} with the admin token. Only digests of passwords are kept, and
 * they are compared in constant time. If a file is missing or invalid, no user can log in. Any
 * thread may call; {@link #refresh} reads files, so it must not run on an event loop.
 */
public final class Users implements Authenticator {
  /** The user whose password is the admin token. */
  public static final String ADMIN = "admin";

  private static final Logger log = LoggerFactory.getLogger(Users.class);
  private static final int MAX_BYTES = 4096;
  private static final int MIN_LENGTH = 8;
  private static final User EVERYONE = new User("default", false);

  private record Secret(User user, Path file) {}

  private final Map<String, Secret> secrets = new LinkedHashMap<>();
  private final Predicate<String> adminToken;
  private volatile Map<String, byte[]> digests;
  private String fault = "";

  /**
   * Reads the passwords of users.
   *
   * @param adminToken returns whether a text is the admin token
   * @throws IOException if a file cannot be read, is readable by others or has an invalid password
   */
  public Users(List<UserSettings> users, Predicate<String> adminToken) throws IOException {
    for (UserSettings user : users) {
      secrets.put(
          user.name(), new Secret(new User(user.name(), user.admin()), user.passwordFile()));
    }
    this.adminToken = adminToken;
    this.digests = read();
  }

  @Override
  public @Nullable User unauthenticated() {
    return secrets.isEmpty() ? EVERYONE : null;
  }

  @Override
  public @Nullable User find(String name, byte[] password) {
    Secret secret = secrets.get(name);
    if (secret == null) {
      boolean admin =
          name.equals(ADMIN) && adminToken.test(new String(password, StandardCharsets.UTF_8));
      return admin ? new User(ADMIN, true) : withoutPassword(name);
    }
    byte[] expected = digests.get(name);
    boolean right = expected != null && MessageDigest.isEqual(expected, sha256(password));
    return right ? secret.user() : null;
  }

  /** Reloads the files. */
  public synchronized void refresh() {
    try {
      digests = read();
      fault = "";
    } catch (IOException e) {
      String reason = String.valueOf(e.getMessage());
      if (!reason.equals(fault)) {
        log.error("no user can log in until the password files are valid: {}", reason);
      }
      fault = reason;
      digests = Map.of();
    }
  }

  private @Nullable User withoutPassword(String name) {
    return secrets.isEmpty() && name.equals(EVERYONE.name()) ? EVERYONE : null;
  }

  private Map<String, byte[]> read() throws IOException {
    var read = new LinkedHashMap<String, byte[]>();
    for (Map.Entry<String, Secret> user : secrets.entrySet()) {
      Path file = user.getValue().file();
      String password =
          new String(SecretFile.readSecret(file, MAX_BYTES), StandardCharsets.UTF_8).strip();
      if (password.length() < MIN_LENGTH) {
        throw new IOException(
            file + ": a password must have at least " + MIN_LENGTH + " characters");
      }
      read.put(user.getKey(), sha256(password.getBytes(StandardCharsets.UTF_8)));
    }
    return read;
  }

  private static byte[] sha256(byte[] password) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(password);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
