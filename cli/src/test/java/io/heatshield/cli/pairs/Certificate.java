package io.heatshield.cli.pairs;

import io.heatshield.testkit.tls.SelfSignedCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import javax.net.ssl.SSLContext;

/**
 * A certificate for this machine, as a server reads it and as a client trusts it.
 *
 * @param chain the PEM file of the certificate
 * @param key the PEM file of the private key
 * @param trusting a context that trusts the certificate and no other
 */
record Certificate(Path chain, Path key, SSLContext trusting) {
  /** Makes a certificate in a folder. */
  static Certificate in(Path folder) {
    SelfSignedCertificate made = SelfSignedCertificate.make(folder, "pairs");
    return made.write(folder, (chain, key) -> new Certificate(chain, key, made.trustingContext()));
  }

  /** Writes a file that only its owner can read. */
  static Path secret(Path file, String text) throws IOException {
    Files.writeString(file, text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }
}
