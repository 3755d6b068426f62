package io.heatshield.data;

import io.heatshield.resp.RespLimits;
import java.time.Duration;

/**
 * What clients of the data door may ask for at most.
 *
 * @param maxClients connections; one more is refused with an error
 * @param known what an authenticated client may send
 * @param unknown what a client may send before
 * @param outputBytes what a client may owe: past it nothing of it is read or run until it has read
 * @param heldBytes what all clients together may have sent in part or owe; who goes past is closed
 * @param readTimeout how long a command may take to arrive
 * @param stallTimeout how long a client that owes may read nothing at all
 * @param idleTimeout how long a client may be silent, unless it is subscribed
 * @param lingerTimeout how long a client may take to read its last error
 */
public record DataLimits(
    int maxClients,
    RespLimits known,
    RespLimits unknown,
    int outputBytes,
    long heldBytes,
    Duration readTimeout,
    Duration stallTimeout,
    Duration idleTimeout,
    Duration lingerTimeout) {

  /** Checks that every bound is above zero. */
  public DataLimits {
    if (maxClients <= 0 || outputBytes <= 0 || heldBytes <= 0) {
      throw new IllegalArgumentException("bounds must be above zero: " + maxClients);
    }
  }

  /** Returns the bounds of a door that nobody configured. */
  public static DataLimits defaults() {
    return new DataLimits(
        10_000,
        RespLimits.defaults(),
        RespLimits.unauthenticated(),
        1 << 20,
        Math.max(64L << 20, Runtime.getRuntime().maxMemory() / 4),
        Duration.ofSeconds(30),
        Duration.ofSeconds(10),
        Duration.ofHours(1),
        Duration.ofSeconds(1));
  }

  /** Returns these bounds with another longest value. */
  public DataLimits withValueBytes(int bytes) {
    return new DataLimits(
        maxClients,
        known.withArgumentBytes(bytes),
        unknown,
        outputBytes,
        heldBytes,
        readTimeout,
        stallTimeout,
        idleTimeout,
        lingerTimeout);
  }
}
