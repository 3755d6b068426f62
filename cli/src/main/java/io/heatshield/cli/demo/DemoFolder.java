package io.heatshield.cli.demo;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** The temporary folder of a demo, with its state and an admin token. */
public final class DemoFolder implements Closeable {
  private final Path folder;

  private DemoFolder(Path folder) {
    this.folder = folder;
  }

  /** Creates the folder, readable only by its owner, and a random token. */
  public static DemoFolder create() throws IOException {
    // The JDK creates temporary folders and files with modes 0700 and 0600.
    Path folder = Files.createTempDirectory("heatshield-demo-");
    var made = new DemoFolder(folder);
    byte[] token = new byte[16];
    new SecureRandom().nextBytes(token);
    Path file = Files.createTempFile(folder, "token", "");
    Files.write(file, HexFormat.of().formatHex(token).getBytes(StandardCharsets.US_ASCII));
    Files.move(file, made.token());
    return made;
  }

  /** Returns the folder of the server's state. */
  public Path state() {
    return folder.resolve("state");
  }

  /** Returns the folder of the rate-limit rules. */
  public Path rules() {
    return folder.resolve("limits");
  }

  /** Returns the admin token. */
  public String tokenText() throws IOException {
    return Files.readString(token());
  }

  /** Returns the file of the admin token. */
  public Path token() {
    return folder.resolve("admin.token");
  }

  /** Deletes the folder and its content. */
  @Override
  public void close() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.deleteIfExists(path);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
