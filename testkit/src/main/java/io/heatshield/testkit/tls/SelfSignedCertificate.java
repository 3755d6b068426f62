package io.heatshield.testkit.tls;

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
import java.util.function.BiFunction;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A new private key and its self-signed certificate, created with the JDK's keytool.
 *
 * @param store both, as a PKCS #12 store with {@link #PASSWORD}
 * @param certificate the certificate
 * @param key the private key
 */
public record SelfSignedCertificate(KeyStore store, X509Certificate certificate, PrivateKey key) {
  /** The password of {@link #store}. */
  public static final String PASSWORD = "changeit";

  private static final String ALIAS = "certificate";

  /** Makes a certificate for localhost and 127.0.0.1, as {@link #make(Path, String, String)}. */
  public static SelfSignedCertificate make(Path folder, String name) {
    return make(folder, name, "dns:localhost,ip:127.0.0.1");
  }

  /**
   * Makes a certificate.
   *
   * @param folder the folder in which the store is written, as {@code <name>.p12}
   * @param name the common name
   * @param hosts the subject alternative names, as keytool takes them
   */
  public static SelfSignedCertificate make(Path folder, String name, String hosts) {
    Path file = folder.resolve(name + ".p12");
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    var command =
        new ProcessBuilder(
                keytool.toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-storetype",
                "PKCS12",
                "-validity",
                "30",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=" + hosts,
                "-storepass",
                PASSWORD,
                "-keystore",
                file.toString())
            .redirectErrorStream(true);
    try {
      Process process = command.start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException("keytool failed: " + output);
      }
      KeyStore store = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(file)) {
        store.load(in, PASSWORD.toCharArray());
      }
      return new SelfSignedCertificate(
          store,
          (X509Certificate) store.getCertificate(ALIAS),
          (PrivateKey) store.getKey(ALIAS, PASSWORD.toCharArray()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * Writes {@code cert.pem} and {@code key.pem} to a folder.
   *
   * @param files the function that gets the paths of the two files, in this order
   */
  public <T> T write(Path folder, BiFunction<Path, Path, T> files) {
    return files.apply(
        writeCertificate(folder.resolve("cert.pem")), writeKey(folder.resolve("key.pem")));
  }

  /** Returns a context that trusts this certificate and no other. */
  public SSLContext trustingContext() {
    return contextPresenting(null);
  }

  /**
   * Returns a context that trusts this certificate and no other.
   *
   * @param own the certificate to present, or null to present none
   */
  public SSLContext contextPresenting(@Nullable SelfSignedCertificate own) {
    try {
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(own == null ? null : own.store, PASSWORD.toCharArray());
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      var context = SSLContext.getInstance("TLS");
      context.init(own == null ? null : keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
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

  /** Writes the key as PEM, to a file that only its owner can read. */
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
