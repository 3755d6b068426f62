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
import java.util.stream.StreamSupport;
import java.util.zip.CRC32C;

/**
 * The state of a folder at one time: the length, time and checksum of its files.
 *
 * <p>Contents are read because two saves may have the same time; of each file at most the length
 * that a rule file may have. Names that begin with a dot are ignored.
 *
 * @param files the state of each file, by path
 */
record FolderPrint(Map<String, String> files) {
  private static final int MAX_DEPTH = 8;
  private static final int MAX_FILES = 10_000;
  private static final int MAX_FILE_BYTES = (1 << 20) + 1;

  /** Returns the present state of a folder or file; failures are part of the state. */
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
    return StreamSupport.stream(relative.spliterator(), false)
        .anyMatch(part -> part.toString().startsWith("."));
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
