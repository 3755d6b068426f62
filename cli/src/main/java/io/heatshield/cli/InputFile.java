package io.heatshield.cli;

import io.heatshield.key.KeyText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that a command line names: whether it is there and can be read is for exit code 3. */
final class InputFile {
  private InputFile() {}

  /**
   * Returns the file if it can be read.
   *
   * @throws CannotRunException if it is not there, is a folder, or may not be read
   */
  static Path readable(Path file) {
    try {
      if (Files.isDirectory(file)) {
        throw failure(file, "is a folder, not a file");
      }
      if (Files.isRegularFile(file)) {
        try (InputStream in = Files.newInputStream(file)) {
          in.read();
        }
      } else {
        // Opening a pipe could block; that it is there is enough here.
        Files.readAttributes(file, "size");
      }
      return file;
    } catch (IOException e) {
      throw failure(file, e);
    }
  }

  /** Returns the end of a command that cannot read a file. */
  static CannotRunException failure(Path file, IOException e) {
    return failure(file, FailureReason.of(e));
  }

  /** Returns the end of a command that cannot use a file, for a reason that is printable. */
  static CannotRunException failure(Path file, String reason) {
    return new CannotRunException(KeyText.of(file.toString()) + ": " + reason);
  }
}
