package io.heatshield.runtime.state;

import io.heatshield.hash.HashSecret;
import io.heatshield.runtime.secret.SecretFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
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
 * The folder where a server keeps what must outlive it: above all the secret that its hashes are
 * keyed with.
 *
 * <p>The folder is made with mode 0700 and the secret with mode 0600. Files are written under
 * another name, synced and renamed, so that a crash leaves the old file or the new one. A server
 * takes the {@link #lock}, so that no other writes here.
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
   * Opens the folder, and makes it if it is not there.
   *
   * @throws IOException if it cannot be made; the message names it
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
   * @throws IOException if another server has locked it; the message names the folder
   */
  public StateLock lock() throws IOException {
    return StateLock.of(folder);
  }

  /**
   * Returns the secret, which is drawn at the first call ever.
   *
   * @throws IOException if it cannot be kept or read, was opened to others, or is damaged; the
   *     message names the file and never its content
   */
  public HashSecret hashSecret() throws IOException {
    Path file = folder.resolve(SECRET);
    if (!Files.exists(file)) {
      draw(file);
    }
    return read(file);
  }

  /**
   * Returns a secret that was kept, if it was.
   *
   * @param name the file's name in this folder
   * @throws IOException as {@link #hashSecret} does
   */
  public Optional<HashSecret> findSecret(String name) throws IOException {
    Path file = folder.resolve(name);
    return Files.exists(file) ? Optional.of(read(file)) : Optional.empty();
  }

  /** Keeps a secret, in place of one that was kept under this name. */
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
      // Falls through to the one sentence about every kind of damage.
    }
    throw new FileSystemException(
        file.toString(),
        null,
        "is not a hash secret of 64 hexadecimal digits; move it away to draw a new one");
  }

  /**
   * Replaces a file by what a writer gives: whole and synced, or not at all.
   *
   * @param name the file's name in this folder
   */
  public void replace(String name, Content content) throws IOException {
    Path fresh = Files.createTempFile(folder, name, ".new", attributes(folder, "rw-------"));
    try {
      try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
        var out = new BufferedOutputStream(Channels.newOutputStream(channel));
        content.writeTo(out);
        out.flush();
        channel.force(true);
      }
      Files.move(
          fresh,
          folder.resolve(name),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  /** Opens a file to be read, if it is there. */
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

  /** Gives a file that cannot be used another name, so that it is neither read nor written over. */
  public void putAside(String name) throws IOException {
    Files.move(
        folder.resolve(name),
        folder.resolve(name + ".refused"),
        StandardCopyOption.REPLACE_EXISTING);
  }

  /** What a file is to hold. */
  @FunctionalInterface
  public interface Content {
    /** Writes it, and leaves the stream open. */
    void writeTo(OutputStream out) throws IOException;
  }

  private void draw(Path file) throws IOException {
    Path fresh = Files.createTempFile(folder, SECRET, ".new", attributes(folder, "rw-------"));
    try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(hex(HashSecret.random())));
      channel.force(true);
    }
    try {
      // A link fails where the name is taken, which a rename would not: the first server's secret
      // stays.
      Files.createLink(file, fresh);
    } catch (FileAlreadyExistsException e) {
      // Another server was first.
    } catch (UnsupportedOperationException e) {
      Files.move(fresh, file);
    } finally {
      Files.deleteIfExists(fresh);
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
