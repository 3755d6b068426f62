package io.heatshield.redis;

import java.util.Map;

/**
 * What a client has done since it was made.
 *
 * @param commands commands that were asked for, those refused at once included
 * @param rounds pipelines that were written; commands by rounds is how many share a round trip
 * @param connects connections that were made
 * @param breakerOpenings how often a breaker opened
 * @param scriptLoads how often a script was loaded into a server
 * @param redirects commands that a cluster sent to another server
 * @param failures commands without an answer, by their reason; every reason is there
 */
public record RedisStats(
    long commands,
    long rounds,
    long connects,
    long breakerOpenings,
    long scriptLoads,
    long redirects,
    Map<Failure, Long> failures) {}
