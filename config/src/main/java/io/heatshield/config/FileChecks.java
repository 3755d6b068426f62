package io.heatshield.config;

import io.heatshield.config.bind.Binder;
import io.heatshield.config.settings.ServerSettings;
import io.heatshield.config.settings.Settings;
import io.heatshield.config.value.InvalidValueException;
import io.heatshield.config.yaml.Faults;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/**
 * Checks the files that settings name: each must exist, and a file with a secret must be readable
 * by its owner only, if the file system supports owners.
 */
final class FileChecks {
  private static final int MIN_TOKEN = 16;
  private static final int MAX_TOKEN_BYTES = 4096;
  private static final Set<PosixFilePermission> OTHERS =
      EnumSet.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private FileChecks() {}

  static void check(Settings settings, Binder binder) {
    ServerSettings server = settings.server();
    Path token = server.adminTokenFile();
    if (token != null) {
      report(binder, "server.admin_token_file", token, true, true);
    }
    checkUsers(settings, binder);
    ServerSettings.Tls tls = server.tls();
    if (tls != null) {
      report(binder, "server.tls.cert", tls.cert(), false, false);
      report(binder, "server.tls.key", tls.key(), true, false);
      Path clientCa = tls.clientCa();
      if (clientCa != null) {
        report(binder, "server.tls.client_ca", clientCa, false, false);
      }
    }
  }

  private static void checkUsers(Settings settings, Binder binder) {
    var users = binder.itemsOf("users");
    for (int u = 0; u < users.size(); u++) {
      Path file = settings.users().get(u).passwordFile();
      report(binder, users.get(u) + ".password_file", file, true, false);
    }
  }

  private static void report(Binder binder, String path, Path file, boolean secret, boolean token) {
    try {
      checkFile(file, secret);
      if (token) {
        checkToken(file);
      }
    } catch (InvalidValueException e) {
      binder.fault(path, e.problem(), e.hint());
    } catch (NoSuchFileException e) {
      binder.fault(path, "there is no file " + Faults.shown(file.toString()), null);
    } catch (IOException e) {
      binder.fault(path, Faults.shown(file.toString()) + " cannot be read", null);
    }
  }

  private static void checkFile(Path file, boolean secret) throws IOException {
    String shown = Faults.shown(file.toString());
    if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
      throw new InvalidValueException(shown + " is not a regular file");
    }
    if (!Files.isReadable(file)) {
      throw new InvalidValueException(shown + " cannot be read by this user");
    }
    var view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (secret && view != null) {
      Set<PosixFilePermission> open = EnumSet.copyOf(OTHERS);
      open.retainAll(view.readAttributes().permissions());
      if (!open.isEmpty()) {
        throw new InvalidValueException(
            shown + " holds a secret, but its owner is not the only one who can read it",
            "run chmod 600 on it");
      }
    }
  }

  private static void checkToken(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_TOKEN_BYTES + 1);
      String token = new String(bytes, StandardCharsets.UTF_8).strip();
      if (bytes.length > MAX_TOKEN_BYTES || token.length() < MIN_TOKEN) {
        throw new InvalidValueException(
            "the token must be " + MIN_TOKEN + " to " + MAX_TOKEN_BYTES + " characters long");
      }
    }
  }
}
