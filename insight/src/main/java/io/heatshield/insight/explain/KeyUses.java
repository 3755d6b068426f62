package io.heatshield.insight.explain;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a hot key was used since it turned hot.
 *
 * @param firstHotMillis when it was first seen hot, in Unix milliseconds
 * @param peakRate the highest rate that was seen
 * @param reads uses by commands that change nothing
 * @param writes uses by commands that may change the key
 * @param misses reads that found nothing
 * @param throttled writes that were refused because the key is hot
 * @param bytes of the commands and of their answers
 * @param commands uses by command, largest first
 * @param clients uses by caller, largest first, by a sample
 * @param distinctClients about how many callers there were
 * @param busiest what the caller with the most uses does besides, if there is one
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

  /** Returns the part of the reads that found nothing. */
  public double missShare() {
    return reads == 0 ? 0 : Math.min(1, (double) misses / reads);
  }

  /** Returns the part of the uses that may change the key. */
  public double writeShare() {
    return reads + writes == 0 ? 0 : (double) writes / (reads + writes);
  }

  /**
   * What one caller does.
   *
   * @param name as name and host
   * @param share its part of the uses of the key
   * @param keys about how many different keys it used within a minute
   * @param ownShare the key's part of all its uses
   */
  public record Caller(String name, double share, long keys, double ownShare) {}
}
