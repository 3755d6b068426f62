package io.heatshield.rls;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * What a folder looked like at one moment: its files with length, time and checksum.
 *
 * <p>Contents are read, because a time can stand still over two saves; of each file that is a rule
 * file's greatest length at most. Files and folders that begin with a dot do not count.
 *
 * @param files what is known of each file, by its path
 */
record FolderPrint(Map<String, String> files) {
  private static final int MAX_DEPTH = 8;
  private static final int MAX_FILES = 10_000;
  private static final int MAX_FILE_BYTES = (1 << 20) + 1;

  /** Returns what a folder, or a single file, looks like now; whatever fails is part of that. */
  static FolderPrint of(Path folder) {
    var files = new TreeMap<String, String>();
    try (Stream<Path> paths = Files.walk(folder, MAX_DEPTH)) {
      paths
          .filter(path -> !isHidden(folder.relativize(path)))
          .limit(MAX_FILES)
          .forEach(path -> files.put(path.toString(), print(path)));
    } catch (IOException | UncheckedIOException e) {
      files.put(folder.toString(), "unreadable");
    }
    return new FolderPrint(files);
  }

  private static boolean isHidden(Path relative) {
    for (Path part : relative) {
      if (part.toString().startsWith(".")) {
        return true;
      }
    }
    return false;
  }

  private static String print(Path path) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      if (!attributes.isRegularFile()) {
        return "no file";
      }
      var checksum = new CRC32C();
      try (InputStream in = Files.newInputStream(path)) {
        checksum.update(in.readNBytes(MAX_FILE_BYTES));
      }
      return attributes.size() + "/" + attributes.lastModifiedTime() + "/" + checksum.getValue();
    } catch (IOException e) {
      return "unreadable";
    }
  }
}
