package io.heatshield.limit.yaml;

import io.heatshield.key.KeyText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Loads rule files of the Envoy rate-limit service. A load yields all rules or only faults.
 *
 * <p>A file is UTF-8 of at most 1 MiB. A folder is read with its sub-folders, in the order of their
 * paths, except names that begin with a dot. A link must not lead out of the folder.
 */
public final class RuleFiles {
  static final int MAX_FILES = 1000;
  private static final int MAX_DEPTH = 8;

  private RuleFiles() {}

  /**
   * Loads a file, or all files of a folder.
   *
   * @param mergeDomains whether files of the same domain are merged; otherwise the second is a
   *     fault
   */
  public static LoadResult load(Path fileOrFolder, boolean mergeDomains) {
    var load = new RuleLoad(mergeDomains);
    if (Files.isDirectory(fileOrFolder)) {
      folder(fileOrFolder, load);
    } else {
      file(fileOrFolder, load);
    }
    return load.result();
  }

  /** Loads these files, in this order. */
  public static LoadResult load(List<Path> files, boolean mergeDomains) {
    var load = new RuleLoad(mergeDomains);
    files.forEach(file -> file(file, load));
    return load.result();
  }

  /** Loads one text, which faults refer to by a name. */
  public static LoadResult load(String name, byte[] text) {
    var load = new RuleLoad(false);
    load.faults().startFile(KeyText.of(name));
    load.add(text);
    return load.result();
  }

  private static void file(Path file, RuleLoad load) {
    load.faults().startFile(KeyText.of(file.toString()));
    byte[] text = RuleText.read(file, load.faults());
    if (text != null) {
      load.add(text);
    }
  }

  private static void folder(Path folder, RuleLoad load) {
    load.faults().startFile(KeyText.of(folder.toString()));
    try {
      Path home = folder.toRealPath();
      List<Path> files = files(folder);
      if (files.size() > MAX_FILES) {
        load.faults().add(0, "holds more than " + MAX_FILES + " files");
        return;
      }
      for (Path file : files) {
        if (leaves(home, file)) {
          load.faults().startFile(KeyText.of(file.toString()));
          load.faults().add(0, "is a link that leaves its folder");
        } else {
          file(file, load);
        }
      }
    } catch (IOException e) {
      load.faults().add(0, "cannot be read (" + e.getClass().getSimpleName() + ")");
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder, MAX_DEPTH)) {
      return all.filter(file -> !file.equals(folder))
          .filter(file -> !isHidden(folder.relativize(file)))
          .filter(file -> !Files.isDirectory(file))
          .sorted()
          .limit(MAX_FILES + 1L)
          .toList();
    }
  }

  private static boolean isHidden(Path relative) {
    return StreamSupport.stream(relative.spliterator(), false)
        .anyMatch(part -> part.toString().startsWith("."));
  }

  /** Returns whether a file is outside of a folder; false for a missing one, a fault of its own. */
  private static boolean leaves(Path home, Path file) {
    try {
      return !file.toRealPath().startsWith(home);
    } catch (IOException e) {
      return false;
    }
  }
}
