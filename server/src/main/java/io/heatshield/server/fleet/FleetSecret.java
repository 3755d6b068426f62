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
 * The secret of the fleet's hash function. The first node creates it; every node saves it, so that
 * it can start while Redis is unavailable.
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
   * Returns the fleet's secret. If Redis is unavailable, returns the saved one, or a new one that
   * becomes the fleet's if this node is the first to reach Redis.
   */
  HashSecret find(FleetExchange exchange) throws IOException {
    Optional<HashSecret> saved = folder.findSecret(file);
    HashSecret proposal = saved.orElseGet(HashSecret::random);
    byte[] bytes;
    try {
      bytes = exchange.secret(proposal.toBytes());
    } catch (FleetExchangeException e) {
      log.warn(
          "cannot read the fleet's secret from Redis ({}); {}",
          e.getMessage(),
          saved.isPresent() ? "using the saved one" : "proposing a new one");
      bytes = proposal.toBytes();
    }
    if (bytes.length != BYTES) {
      throw new IOException("the fleet's secret in Redis must be 32 bytes: " + bytes.length);
    }
    HashSecret secret = HashSecret.of(bytes);
    save(secret);
    return secret;
  }

  /** Saves a secret for the next start. */
  private void save(HashSecret secret) throws IOException {
    folder.keepSecret(file, secret);
  }

  /** Saves the secret that the fleet actually uses, for the next start. */
  void saveOther(byte[] secret) {
    if (secret.length != BYTES) {
      log.error(
          "the fleet's secret in Redis must be 32 bytes: {}; no node can join", secret.length);
      return;
    }
    log.error("the fleet uses another secret; restart this node to join it");
    try {
      save(HashSecret.of(secret));
    } catch (IOException e) {
      log.error("cannot save the fleet's secret: {}", e.getMessage());
    }
  }
}
