package io.heatshield.config.settings;

import io.heatshield.config.value.Address;
import io.heatshield.config.value.HostName;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The doors and how they are protected.
 *
 * <p>A door on an address that other machines can reach needs TLS or credentials, or the line
 * {@code allow_plaintext: true}. What counts as credentials: for HTTP an admin token file, for RESP
 * {@code users}; gRPC has none of its own yet, so only TLS protects it.
 */
public record ServerSettings(
    @Setting(value = "127.0.0.1:8080", doc = "The address of the HTTP door; port 0 takes any free.")
        Address http,
    @Setting(value = "127.0.0.1:8081", doc = "The address of the gRPC door; port 0 takes any free.")
        Address grpc,
    @Setting(value = "127.0.0.1:6380", doc = "The address of the RESP door; port 0 takes any free.")
        Address resp,
    @Setting(
            value = "[]",
            max = "64",
            doc =
                "Further names by which clients call the HTTP port, as a DNS name of its machine or"
                    + " service; IP addresses and localhost need none.")
        List<HostName> hosts,
    @Setting(
            value = "null",
            doc =
                "A file with the admin token, at least 16 characters, readable by its owner only;"
                    + " absent: nothing can be changed from outside.")
        @Nullable Path adminTokenFile,
    @Setting(value = "null", doc = "TLS for all doors; absent: plaintext.") @Nullable Tls tls,
    @Setting(
            value = "false",
            doc =
                "Lets doors that other machines can reach speak plaintext without credentials; for"
                    + " networks that are protected otherwise.")
        boolean allowPlaintext,
    @Setting(
            value = "./state",
            doc =
                "The folder of the hashing secret and the snapshots, of one server alone; made if"
                    + " it is not there.")
        Path stateDir,
    @Setting(
            value = "redis",
            doc = "Whose HOTKEYS the RESP door speaks: that of Redis 8.6 or of Valkey 9.2.")
        HotkeysDialect hotkeysDialect,
    @Setting(
            value = "true",
            doc =
                "Whether HOTKEYS GET without a session tells what the detector knows, in the"
                    + " dialect of Redis.")
        boolean hotkeysAlwaysOn) {

  /** Whose HOTKEYS is spoken. */
  public enum HotkeysDialect {
    /** That of Redis 8.6. */
    REDIS,
    /** That of Valkey 9.2. */
    VALKEY
  }

  /** A certificate, its key, and who may connect. */
  public record Tls(
      @Setting(doc = "The certificate chain, a PEM file.") Path cert,
      @Setting(doc = "The private key, a PEM file that only its owner can read.") Path key,
      @Setting(
              value = "null",
              doc = "The authorities whose clients may connect, a PEM file; absent: any client.")
          @Nullable Path clientCa) {}
}
