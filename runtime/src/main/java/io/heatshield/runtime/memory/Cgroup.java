package io.heatshield.runtime.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The memory limit that Linux control groups set for this process, in version 1 or 2.
 *
 * <p>A process belongs to one group, and the limits of all groups above it apply, too. In a
 * container the path of the group may not exist below the mount; then only the root of the mount,
 * which is the container's own group, is read. Files that cannot be read set no limit.
 */
final class Cgroup {
  private static final String VERSION_1 = "memory.limit_in_bytes";
  private static final String VERSION_2 = "memory.max";

  private final Path root;

  /** Creates a reader of the files below a root, which is {@code /} but in tests. */
  Cgroup(Path root) {
    this.root = root;
  }

  /** A limit in bytes, and the file that sets it. */
  record Limit(long bytes, String file) {}

  /** Returns the lowest limit, if there is one. */
  Optional<Limit> limit() {
    return groups().stream()
        .flatMap(group -> limits(group).stream())
        .min(Comparator.comparingLong(Limit::bytes));
  }

  /** Returns the groups of the process that may limit its memory. */
  private List<Group> groups() {
    Path mount = root.resolve("sys/fs/cgroup");
    var groups = new ArrayList<Group>();
    for (String line : lines(root.resolve("proc/self/cgroup"))) {
      String[] parts = line.split(":", 3);
      if (parts.length < 3) {
        continue;
      }
      if (parts[1].isEmpty()) {
        groups.add(new Group(mount, parts[2], VERSION_2));
      } else if (List.of(parts[1].split(",")).contains("memory")) {
        groups.add(new Group(mount.resolve("memory"), parts[2], VERSION_1));
      }
    }
    return groups;
  }

  /** Returns the limits of a group and of all groups above it. */
  private List<Limit> limits(Group group) {
    var limits = new ArrayList<Limit>();
    Path folder = group.folder();
    while (folder != null && folder.startsWith(group.mount)) {
      Path file = folder.resolve(group.file);
      lines(file).stream().findFirst().flatMap(text -> limit(text, file)).ifPresent(limits::add);
      folder = folder.getParent();
    }
    return limits;
  }

  /** Returns the limit that a file says; {@code max} and other text set no limit. */
  private static Optional<Limit> limit(String text, Path file) {
    try {
      long bytes = Long.parseLong(text.trim());
      return bytes > 0 ? Optional.of(new Limit(bytes, file.toString())) : Optional.empty();
    } catch (NumberFormatException unlimited) {
      return Optional.empty();
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException | RuntimeException unreadable) {
      return List.of();
    }
  }

  /** A control group: the mount of its hierarchy, its path there, and the file of its limit. */
  private record Group(Path mount, String path, String file) {
    /** Returns the folder of the group; the mount if the path leads out of it. */
    Path folder() {
      Path folder = mount.resolve(path.replaceFirst("^/+", "")).normalize();
      return folder.startsWith(mount) ? folder : mount;
    }
  }
}
