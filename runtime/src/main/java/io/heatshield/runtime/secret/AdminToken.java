package io.heatshield.runtime.secret;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The token that callers must send to change state, read from a file and reloaded when the file
 * changes. Thread-safe; {@link #refresh} reads the file and must not be called on an event loop.
 *
 * <p>The file has at least 16 visible ASCII characters on one line, and must not be world-readable.
 * Only a digest of the token is kept, and digests are compared in constant time. If the file is
 * removed or becomes invalid, there is no token: a revoked token must stop working.
 */
public final class AdminToken {
  private static final Logger log = LoggerFactory.getLogger(AdminToken.class);
  private static final int MAX_BYTES = 4096;
  private static final int MIN_LENGTH = 16;
  private static final String SCHEME = "bearer ";

  private final @Nullable Path file;
  private volatile byte @Nullable [] digest;
  private String fault = "";

  private AdminToken(@Nullable Path file, byte @Nullable [] digest) {
    this.file = file;
    this.digest = digest;
  }

  /** Returns a token for a server without one: every check fails. */
  public static AdminToken none() {
    return new AdminToken(null, null);
  }

  /**
   * Reads the token from a file.
   *
   * @throws IOException if the file cannot be read, is world-readable or has no valid token; the
   *     message never has the content
   */
  public static AdminToken fromFile(Path file) throws IOException {
    return new AdminToken(file, read(file));
  }

  /** Reads the file again; returns whether the token is valid or not configured. */
  public synchronized boolean refresh() {
    if (file == null) {
      return true;
    }
    try {
      digest = read(file);
      if (!fault.isEmpty()) {
        log.info("admin token read from {}", file);
      }
      fault = "";
      return true;
    } catch (IOException e) {
      digest = null;
      String reason = String.valueOf(e.getMessage());
      if (!reason.equals(fault)) {
        log.error("admin calls are refused until the token file is valid: {}", reason);
      }
      fault = reason;
      return false;
    }
  }

  /** Returns whether a text equals the token. */
  public boolean accepts(String token) {
    byte[] expected = digest;
    return expected != null && MessageDigest.isEqual(expected, sha256(token));
  }

  /** Checks the value of an Authorization header, null if there is none. */
  public Verdict check(@Nullable String authorization) {
    byte[] expected = digest;
    if (expected == null) {
      return Verdict.NONE_SET;
    }
    if (authorization == null
        || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return Verdict.MISSING;
    }
    byte[] given = sha256(authorization.substring(SCHEME.length()).strip());
    return MessageDigest.isEqual(expected, given) ? Verdict.ACCEPTED : Verdict.WRONG;
  }

  private static byte[] read(Path file) throws IOException {
    byte[] bytes = SecretFile.readSecret(file, MAX_BYTES);
    String token = new String(bytes, StandardCharsets.ISO_8859_1).strip();
    if (token.length() < MIN_LENGTH || !token.matches("[\\x21-\\x7e]+")) {
      throw new IOException(
          file + ": the token must be at least " + MIN_LENGTH + " visible ASCII characters");
    }
    return sha256(token);
  }

  private static byte[] sha256(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is not available", e);
    }
  }

  /** The result of a check. */
  public enum Verdict {
    ACCEPTED,
    MISSING,
    WRONG,
    NONE_SET
  }
}
