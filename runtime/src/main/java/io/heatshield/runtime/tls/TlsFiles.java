package io.heatshield.runtime.tls;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The PEM files of a TLS port.
 *
 * @param certificates the port's certificate, followed by the intermediate ones
 * @param key its private key in PKCS#8 ({@code BEGIN PRIVATE KEY}), without a password
 * @param clientCa the roots of the required client certificates, or empty if clients need none
 */
public record TlsFiles(Path certificates, Path key, Optional<Path> clientCa) {

  /** Returns the files of a port that requires no client certificates. */
  public static TlsFiles of(Path certificates, Path key) {
    return new TlsFiles(certificates, key, Optional.empty());
  }

  /** Returns the same files with roots for client certificates, which are then required. */
  public TlsFiles demanding(Path clientCa) {
    return new TlsFiles(certificates, key, Optional.of(clientCa));
  }
}
