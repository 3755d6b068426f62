package io.heatshield.redis;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A Lua script that Redis executes in one atomic step; immutable. */
public final class Script {
  private final byte[] source;
  private final byte[] digest;

  private Script(byte[] source) {
    this.source = source;
    this.digest = digestOf(source);
  }

  /**
   * Returns the script in a resource file.
   *
   * @param home the class beside which the file lies
   */
  public static Script resource(Class<?> home, String file) {
    try (InputStream in = home.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalArgumentException("file must lie beside " + home.getName() + ": " + file);
      }
      return new Script(in.readAllBytes());
    } catch (IOException e) {
      throw new IllegalStateException(file + " can not be read", e);
    }
  }

  /** Returns a script of this text. */
  public static Script of(String source) {
    return new Script(source.getBytes(StandardCharsets.UTF_8));
  }

  byte[] source() {
    return source;
  }

  /** Returns the SHA-1 of the source in hexadecimal, by which Redis knows it. */
  byte[] digest() {
    return digest;
  }

  private static byte[] digestOf(byte[] source) {
    try {
      byte[] sha1 = MessageDigest.getInstance("SHA-1").digest(source);
      return HexFormat.of().formatHex(sha1).getBytes(StandardCharsets.US_ASCII);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-1", e);
    }
  }
}
