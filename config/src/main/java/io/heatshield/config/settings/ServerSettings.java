package io.heatshield.config.settings;

import io.heatshield.config.value.Address;
import io.heatshield.config.value.HostName;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ports and how they are protected.
 *
 * <p>A port that other machines can reach needs TLS or credentials, or the line {@code
 * allow_plaintext: true}. Credentials are an admin token file for HTTP and {@code users} for RESP.
 * gRPC has no credentials, so only TLS protects it.
 */
public record ServerSettings(
    @Setting(
            value = "127.0.0.1:8080",
            doc = "The address of the HTTP port; port 0 takes any free one.")
        Address http,
    @Setting(
            value = "127.0.0.1:8081",
            doc = "The address of the gRPC port; port 0 takes any free one.")
        Address grpc,
    @Setting(
            value = "127.0.0.1:6380",
            doc = "The address of the RESP port; port 0 takes any free one.")
        Address resp,
    @Setting(
            value = "[]",
            max = "64",
            doc =
                "Additional host names of the HTTP port, such as DNS names; IP addresses and"
                    + " localhost are always accepted.")
        List<HostName> hosts,
    @Setting(
            value = "null",
            doc =
                "A file with the admin token, at least 16 characters, readable by its owner"
                    + " only; absent: nothing can be changed remotely.")
        @Nullable Path adminTokenFile,
    @Setting(value = "null", doc = "TLS for all ports; absent: plaintext.") @Nullable Tls tls,
    @Setting(
            value = "false",
            doc =
                "Allows ports that other machines can reach to use plaintext without"
                    + " credentials; for networks that are protected otherwise.")
        boolean allowPlaintext,
    @Setting(
            value = "./state",
            doc =
                "The folder of the hashing secret and the snapshots, for one server only;"
                    + " created if it does not exist.")
        Path stateDir,
    @Setting(
            value = "redis",
            doc = "Whether HOTKEYS of the RESP port works as in Redis 8.6 or in Valkey 9.2.")
        HotkeysDialect hotkeysDialect,
    @Setting(
            value = "true",
            doc =
                "Whether HOTKEYS GET without a session returns the keys of the detector, in the"
                    + " dialect of Redis.")
        boolean hotkeysAlwaysOn) {

  /** The server whose HOTKEYS is supported. */
  public enum HotkeysDialect {
    REDIS,
    VALKEY
  }

  /** A certificate, its key, and who may connect. */
  public record Tls(
      @Setting(doc = "The certificate chain, a PEM file.") Path cert,
      @Setting(doc = "The private key, a PEM file that only its owner can read.") Path key,
      @Setting(
              value = "null",
              doc =
                  "The certificate authorities of clients, a PEM file; absent: any client may"
                      + " connect.")
          @Nullable Path clientCa) {}
}
