package io.heatshield.data;

import io.heatshield.resp.RespLimits;
import java.time.Duration;

/**
 * The limits of clients of a port.
 *
 * @param maxClients the maximum number of connections; further ones are rejected with an error
 * @param known the limits of commands of an authenticated client
 * @param unknown the limits of commands of a client that has not authenticated
 * @param outputBytes the unread replies of a client at which its commands are no longer executed
 * @param heldBytes the maximum of incomplete commands and unread replies of all clients; a client
 *     that exceeds it is closed
 * @param readTimeout how long a command may take to arrive
 * @param stallTimeout how long a client may leave its replies unread
 * @param idleTimeout how long a client may be idle, unless it is subscribed
 * @param lingerTimeout how long a client may take to read its last reply
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

  private static final long MIN_HELD = 16 << 20;

  /** Checks that the limits are positive. */
  public DataLimits {
    if (maxClients <= 0 || outputBytes <= 0 || heldBytes <= 0) {
      throw new IllegalArgumentException("limits must be above zero: " + maxClients);
    }
  }

  /** Returns the default limits. */
  public static DataLimits defaults() {
    return new DataLimits(
        10_000,
        RespLimits.defaults(),
        RespLimits.unauthenticated(),
        1 << 20,
        heldBytes(Runtime.getRuntime().maxMemory()),
        Duration.ofSeconds(30),
        Duration.ofSeconds(10),
        Duration.ofHours(1),
        Duration.ofSeconds(1));
  }

  /** Returns the default of {@code heldBytes} for a maximum heap: a quarter, at least 16 MiB. */
  public static long heldBytes(long maxHeap) {
    return Math.max(MIN_HELD, maxHeap / 4);
  }

  /** Returns these limits with another maximum length of arguments. */
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
