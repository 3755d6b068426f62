package io.heatshield.cli.pairs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate for this machine, as a server reads it and as a client trusts it.
 *
 * @param chain the PEM file of the certificate
 * @param key the PEM file of the private key
 * @param trusting a context that trusts the certificate and no other
 */
record Certificate(Path chain, Path key, SSLContext trusting) {
  private static final String PASSWORD = "changeit";

  /** Makes a certificate in a folder. */
  static Certificate in(Path folder)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path file = folder.resolve("pairs.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "pairs",
                "-dname",
                "CN=pairs",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    if (keytool.waitFor() != 0) {
      throw new IOException(Files.readString(folder.resolve("keytool.log")));
    }
    var store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    var context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return new Certificate(
        secret(
            folder.resolve("cert.pem"),
            pem("CERTIFICATE", store.getCertificate("pairs").getEncoded())),
        secret(
            folder.resolve("key.pem"),
            pem("PRIVATE KEY", store.getKey("pairs", PASSWORD.toCharArray()).getEncoded())),
        context);
  }

  /** Writes a file that only its owner can read. */
  static Path secret(Path file, String text) throws IOException {
    Files.writeString(file, text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private static String pem(String what, byte[] der) {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + what + "-----\n" + base64 + "\n-----END " + what + "-----\n";
  }
}
