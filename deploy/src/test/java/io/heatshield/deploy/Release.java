package io.heatshield.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The folder of a release, and the properties that the build gives its tests. */
final class Release {
  private Release() {}

  static String property(String name) {
    @Nullable String value = System.getProperty(name);
    if (value == null) {
      throw new IllegalStateException(name + " must be set: run this test with Maven");
    }
    return value;
  }

  static Path folder() {
    return Path.of(property("release.directory"));
  }

  static String version() {
    return property("release.version");
  }

  static Path image() {
    return folder().resolve("heatshield-" + version() + "-image.tar.gz");
  }

  static String sha256(Path file) throws IOException, NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (InputStream stream = Files.newInputStream(file)) {
      byte[] buffer = new byte[1 << 16];
      for (int read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
        digest.update(buffer, 0, read);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
