package io.heatshield.runtime.secret;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;

/**
 * Reads files with secrets or certificates: regular files of a bounded size; a file with a secret
 * must not be world-readable.
 */
public final class SecretFile {
  private SecretFile() {}

  /**
   * Reads a secret.
   *
   * @throws IOException if the file is not a regular file, is larger than the limit, cannot be
   *     read, or is world-readable
   */
  public static byte[] readSecret(Path file, int maxBytes) throws IOException {
    var posix = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (posix != null
        && Files.exists(file)
        && posix.readAttributes().permissions().contains(PosixFilePermission.OTHERS_READ)) {
      throw new FileSystemException(
          file.toString(), null, "every user can read this secret; run chmod 600 on it");
    }
    return read(file, maxBytes);
  }

  /** Reads a file that need not be secret, with the same limits. */
  public static byte[] read(Path file, int maxBytes) throws IOException {
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString(), null, "no such file");
    }
    if (!Files.isRegularFile(file)) {
      throw new FileSystemException(file.toString(), null, "not a regular file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(maxBytes + 1);
      if (bytes.length > maxBytes) {
        throw new FileSystemException(file.toString(), null, "larger than " + maxBytes + " bytes");
      }
      return bytes;
    }
  }
}
