package io.heatshield.cli.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file that is written whole or not at all. */
public final class WholeFile {
  private WholeFile() {}

  /** Writes a text beside the file and puts it in its place when all of it is on disk. */
  public static void write(Path file, String text) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    Path beside = Files.createTempFile(folder == null ? Path.of(".") : folder, ".heatshield", null);
    try {
      Files.writeString(beside, text);
      Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(beside);
    }
  }
}
