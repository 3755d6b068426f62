package io.heatshield.runtime.tls;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the PEM files of a TLS door are.
 *
 * @param certificates the door's certificate, followed by those that lead to its root
 * @param key its private key in PKCS#8 ({@code BEGIN PRIVATE KEY}), without a password
 * @param clientCa the roots of the client certificates that the door demands, or empty if clients
 *     need none
 */
public record TlsFiles(Path certificates, Path key, Optional<Path> clientCa) {

  /** Returns the files of a door that asks its clients for no certificate. */
  public static TlsFiles of(Path certificates, Path key) {
    return new TlsFiles(certificates, key, Optional.empty());
  }

  /** Returns the same files with roots for client certificates, which the door then demands. */
  public TlsFiles demanding(Path clientCa) {
    return new TlsFiles(certificates, key, Optional.of(clientCa));
  }
}
