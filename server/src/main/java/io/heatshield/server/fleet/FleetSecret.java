package io.heatshield.server.fleet;

import io.heatshield.fleet.FleetExchange;
import io.heatshield.fleet.FleetExchangeException;
import io.heatshield.hash.HashSecret;
import io.heatshield.runtime.state.StateFolder;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The secret that a fleet hashes its keys with: made once, by whoever is first, and kept by every
 * node so that it can start while Redis is away.
 */
final class FleetSecret {
  private static final Logger log = LoggerFactory.getLogger(FleetSecret.class);
  private static final int BYTES = 32;

  private final StateFolder folder;
  private final String file;

  FleetSecret(StateFolder folder, String fleet) {
    this.folder = folder;
    this.file = "fleet-" + fleet + ".secret";
  }

  /**
   * Returns the fleet's secret; if Redis does not answer, the one that was kept, or a new one that
   * becomes the fleet's if this node is the first to reach Redis.
   */
  HashSecret find(FleetExchange exchange) throws IOException {
    Optional<HashSecret> kept = folder.findSecret(file);
    HashSecret proposal = kept.orElseGet(HashSecret::random);
    byte[] told;
    try {
      told = exchange.secret(proposal.toBytes());
    } catch (FleetExchangeException e) {
      log.warn(
          "the fleet's secret was not told ({}); {}",
          e.getMessage(),
          kept.isPresent() ? "the one kept from last time is used" : "a new one is proposed");
      told = proposal.toBytes();
    }
    if (told.length != BYTES) {
      throw new IOException("the fleet's secret in Redis must be 32 bytes: " + told.length);
    }
    HashSecret secret = HashSecret.of(told);
    keep(secret);
    return secret;
  }

  /** Keeps a secret for the next start. */
  void keep(HashSecret secret) throws IOException {
    folder.keepSecret(file, secret);
  }

  /** Keeps the secret that the fleet has turned out to use, for the next start. */
  void keepOther(byte[] secret) {
    if (secret.length != BYTES) {
      log.error("the fleet's secret in Redis is not of 32 bytes; no node can join");
      return;
    }
    log.error("the fleet counts by another secret; start this node again to join it");
    try {
      keep(HashSecret.of(secret));
    } catch (IOException e) {
      log.error("the fleet's secret cannot be kept: {}", e.getMessage());
    }
  }
}
