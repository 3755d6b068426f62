package io.heatshield.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A rendered manifest of the tree.
 *
 * @param file the path of the manifest
 * @param head the comment lines at its beginning
 */
record Manifest(Path file, String head) {

  static Manifest of(String name) throws IOException {
    Path file = Documents.DEPLOY.resolve("kubernetes").resolve(name);
    String text = Files.readString(file);
    return new Manifest(file, text.substring(0, text.indexOf("---\n")));
  }

  String text() throws IOException {
    return Files.readString(file);
  }

  /** Returns the manifest as it should be, and writes it if the build is asked to. */
  String with(String rendered) throws IOException {
    String text = head + rendered;
    if (Boolean.getBoolean("manifests.write")) {
      Files.writeString(file, text);
    }
    return text;
  }
}
