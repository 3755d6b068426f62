package io.heatshield.redis.script;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A Lua script, which Redis executes atomically. Immutable. */
public final class Script {
  private final byte[] source;
  private final byte[] digest;

  private Script(byte[] source) {
    this.source = source;
    try {
      byte[] sha1 = MessageDigest.getInstance("SHA-1").digest(source);
      this.digest = HexFormat.of().formatHex(sha1).getBytes(StandardCharsets.US_ASCII);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-1", e);
    }
  }

  /**
   * Returns the script in a resource file of the package of a class. If the class is in a module,
   * the package must be open to this one.
   */
  public static Script resource(Class<?> home, String file) {
    try (InputStream in = home.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalArgumentException(
            "file must be a resource next to " + home.getName() + ": " + file);
      }
      return new Script(in.readAllBytes());
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + file, e);
    }
  }

  /** Returns a script with this source. */
  public static Script of(String source) {
    return new Script(source.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the source; the array must not be changed. */
  public byte[] source() {
    return source;
  }

  /** Returns the SHA-1 of the source in hexadecimal, for EVALSHA; must not be changed. */
  public byte[] digest() {
    return digest;
  }
}
