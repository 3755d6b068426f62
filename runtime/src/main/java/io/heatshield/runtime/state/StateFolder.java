package io.heatshield.runtime.state;

import io.heatshield.hash.HashSecret;
import io.heatshield.runtime.secret.SecretFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The folder for what a server must keep across restarts, in particular the secret of its hashes.
 *
 * <p>The folder is created with mode 0700 and files with mode 0600. A file is written under another
 * name, synced and renamed, so that a crash leaves the old file or the new one. A server takes the
 * {@link #lock}, so that no other server writes to the folder.
 */
public final class StateFolder {
  private static final String SECRET = "hash.secret";
  private static final int SECRET_BYTES = 32;
  private static final int MAX_FILE_BYTES = 256;

  private final Path folder;

  private StateFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * Opens the folder, and creates it if it does not exist.
   *
   * @throws IOException if it cannot be created; the message has its name
   */
  public static StateFolder open(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      try {
        Files.createDirectories(folder, attributes(folder, "rwx------"));
      } catch (FileAlreadyExistsException e) {
        throw new FileSystemException(folder.toString(), null, "server.state_dir is not a folder");
      }
    }
    return new StateFolder(folder);
  }

  /**
   * Locks the folder until the lock is closed or this process ends.
   *
   * @throws IOException if another server has locked it; the message has its name
   */
  public StateLock lock() throws IOException {
    return StateLock.of(folder);
  }

  /**
   * Returns the secret of the hashes, and generates it if there is no file yet.
   *
   * @throws IOException if it cannot be written or read, is world-readable, or is damaged; the
   *     message has the name of the file and never its content
   */
  public HashSecret hashSecret() throws IOException {
    Path file = folder.resolve(SECRET);
    if (!Files.exists(file)) {
      generate(file);
    }
    return read(file);
  }

  /**
   * Returns a stored secret, if there is one.
   *
   * @param name the file's name in this folder
   * @throws IOException as {@link #hashSecret} does
   */
  public Optional<HashSecret> findSecret(String name) throws IOException {
    Path file = folder.resolve(name);
    return Files.exists(file) ? Optional.of(read(file)) : Optional.empty();
  }

  /** Stores a secret; replaces one of the same name. */
  public void keepSecret(String name, HashSecret secret) throws IOException {
    replace(name, out -> out.write(hex(secret)));
  }

  private static byte[] hex(HashSecret secret) {
    return (HexFormat.of().formatHex(secret.toBytes()) + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  private static HashSecret read(Path file) throws IOException {
    byte[] text = SecretFile.readSecret(file, MAX_FILE_BYTES);
    try {
      byte[] bytes = HexFormat.of().parseHex(new String(text, StandardCharsets.US_ASCII).strip());
      if (bytes.length == SECRET_BYTES) {
        return HashSecret.of(bytes);
      }
    } catch (IllegalArgumentException e) {
      // Reported below, as every kind of damage.
    }
    throw new FileSystemException(
        file.toString(),
        null,
        "is not a hash secret of 64 hexadecimal digits; move it away to generate a new one");
  }

  /**
   * Replaces a file atomically, and syncs it.
   *
   * @param name the file's name in this folder
   */
  public void replace(String name, Content content) throws IOException {
    Path fresh = writeTemporary(name, content);
    try {
      Files.move(
          fresh,
          folder.resolve(name),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  /** Opens a file for reading, if it exists. */
  public Optional<InputStream> open(String name) throws IOException {
    Path file = folder.resolve(name);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    if (!Files.isRegularFile(file)) {
      throw new FileSystemException(file.toString(), null, "is not a file");
    }
    return Optional.of(Files.newInputStream(file));
  }

  /** Renames a file that cannot be used, so that it is neither read nor overwritten. */
  public void putAside(String name) throws IOException {
    Files.move(
        folder.resolve(name),
        folder.resolve(name + ".refused"),
        StandardCopyOption.REPLACE_EXISTING);
  }

  /** Writes the content of a file. */
  @FunctionalInterface
  public interface Content {
    /** Writes the content, and does not close the stream. */
    void writeTo(OutputStream out) throws IOException;
  }

  private void generate(Path file) throws IOException {
    byte[] secret = hex(HashSecret.random());
    Path fresh = writeTemporary(SECRET, out -> out.write(secret));
    try {
      // Unlike a rename, a link fails if the name exists: the first server's secret is kept.
      Files.createLink(file, fresh);
    } catch (FileAlreadyExistsException e) {
      // Another server was first.
    } catch (UnsupportedOperationException e) {
      Files.move(fresh, file);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private Path writeTemporary(String name, Content content) throws IOException {
    Path file = Files.createTempFile(folder, name, ".new", attributes(folder, "rw-------"));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      var out = new BufferedOutputStream(Channels.newOutputStream(channel));
      content.writeTo(out);
      out.flush();
      channel.force(true);
      return file;
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(file);
      throw e;
    }
  }

  static FileAttribute<?>[] attributes(Path folder, String mode) {
    boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
        }
        : new FileAttribute<?>[0];
  }
}
