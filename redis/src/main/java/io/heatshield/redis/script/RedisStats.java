package io.heatshield.redis.script;

import java.util.Map;

/**
 * Totals of a client since it was created.
 *
 * @param commands commands that were submitted, including those that were refused
 * @param rounds pipelines that were sent; commands per round is how many share a round trip
 * @param connects connections that were opened
 * @param breakerOpenings how often a circuit breaker opened
 * @param scriptLoads how often a script was loaded into a server
 * @param redirects commands that a cluster redirected to another server
 * @param failures commands without a reply, by reason; without the reasons that never occurred
 */
public record RedisStats(
    long commands,
    long rounds,
    long connects,
    long breakerOpenings,
    long scriptLoads,
    long redirects,
    Map<Failure, Long> failures) {}
