package io.heatshield.limit.yaml;

import io.heatshield.key.KeyText;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads rule files of the Envoy rate-limit service: whole, or not at all.
 *
 * <p>A file is UTF-8 of at most 1 MiB. Of a folder all files count, also those of folders in it, in
 * the order of their paths; names that begin with a dot are left out. A link may not lead out of
 * the folder.
 */
public final class RuleFiles {
  /** The most files of a folder. */
  static final int MAX_FILES = 1000;

  /** How deep folders may lie in each other. */
  private static final int MAX_DEPTH = 8;

  private RuleFiles() {}

  /**
   * Returns the rules of a file, or of all files of a folder.
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

  /** Returns the rules of these files, in this order. */
  public static LoadResult load(List<Path> files, boolean mergeDomains) {
    var load = new RuleLoad(mergeDomains);
    files.forEach(file -> file(file, load));
    return load.result();
  }

  /** Returns the rules of one text; faults call it by this name. */
  public static LoadResult load(String name, byte[] text) {
    var load = new RuleLoad(false);
    load.add(KeyText.of(name), text);
    return load.result();
  }

  private static void file(Path file, RuleLoad load) {
    String name = KeyText.of(file.toString());
    load.add(name, RuleText.read(file, name, load.faults()));
  }

  private static void folder(Path folder, RuleLoad load) {
    String name = KeyText.of(folder.toString());
    try {
      Path home = folder.toRealPath();
      List<Path> files = files(folder);
      if (files.size() > MAX_FILES) {
        load.faults().add(name, 0, "holds more than " + MAX_FILES + " files");
        return;
      }
      for (Path file : files) {
        if (leaves(home, file)) {
          String shown = KeyText.of(file.toString());
          load.faults().add(shown, 0, "is a link that leaves its folder");
          load.add(shown, null);
        } else {
          file(file, load);
        }
      }
    } catch (IOException e) {
      load.faults().add(name, 0, "cannot be read (" + e.getClass().getSimpleName() + ")");
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder, MAX_DEPTH, new FileVisitOption[0])) {
      return all.filter(file -> !file.equals(folder))
          .filter(file -> !isHidden(folder.relativize(file)))
          .filter(file -> !Files.isDirectory(file))
          .sorted()
          .limit(MAX_FILES + 1L)
          .toList();
    }
  }

  private static boolean isHidden(Path relative) {
    for (Path part : relative) {
      if (part.toString().startsWith(".")) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether a file lies elsewhere; one that is not there is left for the reading to name.
   */
  private static boolean leaves(Path home, Path file) {
    try {
      return !file.toRealPath().startsWith(home);
    } catch (IOException e) {
      return false;
    }
  }
}
