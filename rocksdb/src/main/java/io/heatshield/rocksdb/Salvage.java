package io.heatshield.rocksdb;

import io.heatshield.store.engine.StoreException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates a new database from the readable data of a damaged one.
 *
 * <p>The damaged files are not changed: they are linked into a work folder, where a damaged
 * manifest is restored from its copy and table files without a readable index are removed from it.
 * Then every readable entry is written to the new database. At the end the old files are moved to
 * {@code damaged-<time>}. A deleted key may exist again if its deletion is lost.
 */
final class Salvage {
  static final String UNFINISHED = "salvaged-";

  private static final Logger log = LoggerFactory.getLogger(Salvage.class);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final int COLUMN_FAMILY = 200;
  private static final int DELETED_FILE = 6;

  private final RocksOptions options;
  private final Path folder;
  private final String time;
  private final Path work;
  private final Path old;
  private final Path fresh;
  private final List<String> droppedTables = new ArrayList<>();

  private Salvage(RocksOptions options) {
    this.options = options;
    folder = options.folder();
    time = TIME.format(Clock.systemUTC().instant());
    work = folder.resolve("salvage-" + time);
    old = work.resolve("old");
    fresh = work.resolve("new");
  }

  /**
   * Replaces the data of a folder, which must not be open, by its readable data.
   *
   * @throws StoreException if nothing can be read; the folder is unchanged then
   */
  static SalvageReport run(RocksOptions options, String damage) throws IOException {
    log.warn("{}: salvaging the readable data", damage);
    SalvageReport report = new Salvage(options).run();
    log.warn("salvaged {}: {}", options.folder(), report);
    return report;
  }

  private SalvageReport run() throws IOException {
    FilePermissions.makeFolder(work);
    try {
      link();
      restoreManifest();
      long logBytes = unreadableLogBytes();
      dropUnreadableTables();
      SalvageReport copied = copy(logBytes);
      swap();
      return copied;
    } catch (RocksDBException e) {
      throw new StoreException(
          StoreException.Reason.DAMAGED,
          folder + " cannot be salvaged, restore a backup of it: " + e.getMessage(),
          e);
    } finally {
      delete(work);
    }
  }

  private void link() throws IOException {
    FilePermissions.makeFolder(old);
    for (Path file : files(folder)) {
      String name = file.getFileName().toString();
      if (name.endsWith(".sst")) {
        try {
          Files.createLink(old.resolve(name), file);
        } catch (UnsupportedOperationException e) {
          Files.copy(file, old.resolve(name));
        }
      } else if (!name.startsWith("LO")) {
        Files.copy(file, old.resolve(name));
      }
    }
  }

  /** Restores the newest manifest, from its copy if necessary, and names it in CURRENT. */
  private void restoreManifest() throws IOException {
    Optional<Path> named = ManifestCopy.current(old);
    Path manifest = named.filter(this::isKnown).orElseGet(this::newestManifest);
    if (ManifestCopy.isUsable(manifest) && !isIntact(manifest)) {
      Files.write(manifest, ManifestCopy.restored(manifest));
      if (!isIntact(manifest)) {
        Files.write(manifest, Files.readAllBytes(ManifestCopy.of(manifest)));
      }
    }
    Files.writeString(
        old.resolve("CURRENT"), manifest.getFileName() + "\n", StandardCharsets.US_ASCII);
  }

  private static boolean isIntact(Path manifest) throws IOException {
    return Files.isRegularFile(manifest)
        && ManifestCopy.agrees(manifest)
        && !LogFile.check(manifest).isDamaged();
  }

  private boolean isKnown(Path manifest) {
    return Files.exists(manifest) || Files.exists(ManifestCopy.of(manifest));
  }

  private Path newestManifest() {
    try {
      return files(old).stream()
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("MANIFEST-[0-9]+(\\.copy)?"))
          .map(name -> name.replace(ManifestCopy.SUFFIX, ""))
          .max(String::compareTo)
          .map(old::resolve)
          .orElseThrow(
              () ->
                  new StoreException(
                      StoreException.Reason.DAMAGED,
                      folder + " cannot be salvaged without a manifest, restore a backup of it"));
    } catch (IOException e) {
      throw new StoreException(StoreException.Reason.DAMAGED, folder + " cannot be read", e);
    }
  }

  private long unreadableLogBytes() throws IOException {
    long bytes = 0;
    for (Path log : new FolderCheck(old).logFiles()) {
      bytes += LogFile.check(log).droppedBytes();
    }
    return bytes;
  }

  /** Removes table files that are missing, truncated or without an index from the manifest. */
  private void dropUnreadableTables() throws IOException, RocksDBException {
    List<byte[]> edits = new ArrayList<>();
    try (DamagedDatabase data = DamagedDatabase.open(old)) {
      for (LiveFileMetaData table : data.db.getLiveFilesMetaData()) {
        String name = table.fileName().substring(table.fileName().lastIndexOf('/') + 1);
        Path file = old.resolve(name);
        if (!SstFiles.isReadable(file) || Files.size(file) != table.size()) {
          droppedTables.add(name + " (" + table.size() + " bytes)");
          edits.add(removal(data.familyId(table.columnFamilyName()), table.level(), name));
        }
      }
    }
    Path manifest = ManifestCopy.current(old).orElseThrow();
    for (byte[] edit : edits) {
      LogFile.append(manifest, edit);
    }
  }

  /** Returns a record that removes one table file from the manifest. */
  private static byte[] removal(int family, int level, String table) {
    var edit = new ByteArrayOutputStream();
    long number = Long.parseLong(table.substring(0, table.indexOf('.')));
    for (long part : new long[] {DELETED_FILE, level, number, COLUMN_FAMILY, family}) {
      long left = part;
      while (left >= 0x80) {
        edit.write((int) (left & 0x7f) | 0x80);
        left >>>= 7;
      }
      edit.write((int) left);
    }
    return edit.toByteArray();
  }

  private SalvageReport copy(long logBytes) throws RocksDBException {
    try (DamagedDatabase data = DamagedDatabase.open(old);
        RocksDatabase into = RocksDatabase.open(options.at(fresh), true)) {
      long kept = new EntryCopy(data, into).run();
      into.flush();
      return new SalvageReport(
          folder.resolve("damaged-" + time),
          kept,
          List.copyOf(droppedTables),
          data.damagedRanges(),
          logBytes);
    }
  }

  /** Replaces the old files by the new ones; a start after a crash in between is refused. */
  private void swap() throws IOException {
    Path aside = folder.resolve("damaged-" + time);
    Path done = folder.resolve(UNFINISHED + time);
    FilePermissions.makeFolder(aside);
    Files.move(fresh, done);
    for (Path file : files(folder)) {
      Files.move(file, aside.resolve(file.getFileName()));
    }
    for (Path file : files(done)) {
      Files.move(file, folder.resolve(file.getFileName()));
    }
    Files.delete(done);
  }

  private static List<Path> files(Path folder) throws IOException {
    try (var all = Files.list(folder)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void delete(Path folder) throws IOException {
    for (Path below : List.of(folder.resolve("old"), folder.resolve("new"), folder)) {
      if (Files.isDirectory(below)) {
        for (Path file : files(below)) {
          Files.delete(file);
        }
        Files.delete(below);
      }
    }
  }
}
