package io.heatshield.runtime.tls;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Base64;

/** A new key and its own certificate for localhost, made by the JDK's keytool. */
public record PemPair(KeyStore store, X509Certificate certificate, PrivateKey key) {
  /** The password of {@link #store}. */
  public static final String PASSWORD = "changeit";

  /** Returns a pair with a name of its own. */
  public static PemPair make(Path folder, String name) {
    Path file = folder.resolve(name + ".p12");
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    var command =
        new ProcessBuilder(
                (keytool + " -genkeypair -alias me -keyalg EC -storetype PKCS12 -validity 30")
                    .split(" ", -1))
            .redirectErrorStream(true);
    command.command().add("-dname");
    command.command().add("CN=" + name);
    command.command().add("-ext");
    command.command().add("san=dns:localhost,ip:127.0.0.1");
    command.command().add("-storepass");
    command.command().add(PASSWORD);
    command.command().add("-keystore");
    command.command().add(file.toString());
    try {
      Process process = command.start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException("keytool failed: " + said);
      }
      KeyStore store = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(file)) {
        store.load(in, PASSWORD.toCharArray());
      }
      return new PemPair(
          store,
          (X509Certificate) store.getCertificate("me"),
          (PrivateKey) store.getKey("me", PASSWORD.toCharArray()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Writes certificate and key as PEM files and returns where. */
  public TlsFiles write(Path folder) {
    Path certificates = folder.resolve("cert.pem");
    Path secret = folder.resolve("key.pem");
    writeCertificate(certificates);
    writeKey(secret);
    return TlsFiles.of(certificates, secret);
  }

  /** Writes the certificate as PEM. */
  public Path writeCertificate(Path file) {
    try {
      return Files.writeString(file, pem("CERTIFICATE", certificate.getEncoded()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes the key as PEM, for its owner's eyes. */
  public Path writeKey(Path file) {
    try {
      Files.writeString(file, pem("PRIVATE KEY", key.getEncoded()));
      return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String pem(String what, byte[] der) {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + what + "-----\n" + base64 + "\n-----END " + what + "-----\n";
  }
}
