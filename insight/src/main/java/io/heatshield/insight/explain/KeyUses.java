package io.heatshield.insight.explain;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The usage of a hot key since it turned hot.
 *
 * @param firstHotMillis when it was first observed hot, in Unix milliseconds
 * @param peakRate the highest observed rate
 * @param reads uses by commands that do not change the key
 * @param writes uses by commands that may change the key
 * @param misses reads that found nothing
 * @param throttled writes that were throttled
 * @param bytes the size of the commands and replies
 * @param commands uses by command, largest first
 * @param clients sampled uses by client, largest first
 * @param distinctClients the approximate number of clients
 * @param busiest the activity of the client with the most uses, if known
 */
public record KeyUses(
    long firstHotMillis,
    double peakRate,
    long reads,
    long writes,
    long misses,
    long throttled,
    long bytes,
    Map<String, Long> commands,
    Map<String, Long> clients,
    long distinctClients,
    @Nullable Caller busiest) {

  /** Returns the share of reads that found nothing. */
  public double missShare() {
    return reads == 0 ? 0 : Math.min(1, (double) misses / reads);
  }

  /** Returns the share of writes. */
  public double writeShare() {
    return reads + writes == 0 ? 0 : (double) writes / (reads + writes);
  }

  /**
   * The activity of one client.
   *
   * @param name the client's name and host
   * @param share its share of the uses of the key
   * @param keys the approximate number of keys that it used within a minute
   * @param ownShare the share of the key in all its uses
   */
  public record Caller(String name, double share, long keys, double ownShare) {}
}
