package io.heatshield.runtime.state;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The exclusive lock of a state folder.
 *
 * <p>It is an operating system lock on a file in the folder, so it is released when the process
 * ends, even by a crash. A read-only folder needs no lock.
 */
public final class StateLock implements AutoCloseable {
  static final String FILE = "server.lock";

  /*
   * The folders that this process has locked. Closing any channel to a locked file releases the
   * locks of the whole process, so the file is not even opened a second time.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path folder;
  private final @Nullable FileChannel channel;

  private StateLock(Path folder, @Nullable FileChannel channel) {
    this.folder = folder;
    this.channel = channel;
  }

  /**
   * Locks an existing folder.
   *
   * @throws IOException if another server has locked it, or the lock file cannot be created; the
   *     message has the folder
   */
  static StateLock of(Path folder) throws IOException {
    Path real = folder.toRealPath();
    if (!HELD.add(real)) {
      throw inUse(folder);
    }
    try {
      return new StateLock(real, Files.isWritable(real) ? lock(folder) : null);
    } catch (IOException | RuntimeException e) {
      HELD.remove(real);
      throw e;
    }
  }

  private static FileChannel lock(Path folder) throws IOException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve(FILE),
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            StateFolder.attributes(folder, "rw-------"));
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw inUse(folder);
      }
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Releases the lock; the lock file is not deleted. */
  @Override
  public void close() {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      HELD.remove(folder);
    }
  }

  private static FileSystemException inUse(Path folder) {
    return new FileSystemException(
        folder.toString(),
        null,
        "another server uses this folder; set server.state_dir to another one for each server");
  }
}
