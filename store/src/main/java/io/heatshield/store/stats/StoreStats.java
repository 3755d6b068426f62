package io.heatshield.store.stats;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Statistics of a store since it was opened. They are read one after another, not as of one moment.
 *
 * @param hotReadKeys the hottest keys by reads that have reached the threshold
 * @param hotWriteKeys the hottest keys by writes that have reached the threshold
 * @param clampedWrites writes that were refused
 * @param absentAnswers reads that the filter answered
 * @param falsePositives reads of absent keys that the filter took for present
 * @param disagreements existing keys that the filter took for absent: must be 0 unless others write
 * @param flightsJoined reads that shared the load of another
 * @param cacheHits reads that the cache answered
 * @param engineCalls calls that were made to the engine
 * @param engineCallsSaved calls that were avoided
 * @param groupedWrites writes that were sent to the engine in groups
 * @param groups the number of these groups
 * @param routingMoves moves of keys to the hot ones or back
 * @param expired keys that were deleted because they had expired
 * @param filterBytes memory of the filter
 * @param cacheBytes memory of the cache
 * @param ringBytes memory of the rings
 * @param dataBytes memory of the data, if the engine keeps it in memory
 * @param maxBytes the maximum memory
 */
public record StoreStats(
    List<HotKey> hotReadKeys,
    List<HotKey> hotWriteKeys,
    long clampedWrites,
    long absentAnswers,
    long falsePositives,
    long disagreements,
    long flightsJoined,
    long cacheHits,
    long engineCalls,
    long engineCallsSaved,
    long groupedWrites,
    long groups,
    long routingMoves,
    long expired,
    long filterBytes,
    long cacheBytes,
    long ringBytes,
    long dataBytes,
    long maxBytes) {

  /** Returns the numbers under their names in JSON. */
  public Map<String, Object> fields() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("hot.read_keys", hotReadKeys);
    fields.put("hot.write_keys", hotWriteKeys);
    fields.put("write.hot_key_limited", clampedWrites);
    fields.put("write.grouped", groupedWrites);
    fields.put("write.groups", groups);
    fields.put("read.absent", absentAnswers);
    fields.put("read.cache_hits", cacheHits);
    fields.put("read.flights_joined", flightsJoined);
    fields.put("filter.false_positives", falsePositives);
    fields.put("filter.disagreements", disagreements);
    fields.put("engine.calls", engineCalls);
    fields.put("engine.calls_saved", engineCallsSaved);
    fields.put("engine.expired", expired);
    fields.put("routing.moves", routingMoves);
    fields.put("bytes.filter", filterBytes);
    fields.put("bytes.cache", cacheBytes);
    fields.put("bytes.rings", ringBytes);
    fields.put("bytes.data", dataBytes);
    fields.put("bytes.max", maxBytes);
    return fields;
  }

  /** Returns the numbers as lines for people. */
  public List<String> lines() {
    return List.of(
        "Read.Absent " + absentAnswers,
        "Read.CacheHits " + cacheHits,
        "Read.FlightsJoined " + flightsJoined,
        "Read.HotKeys " + hotReadKeys.size(),
        "Write.HotKeys " + hotWriteKeys.size(),
        "Write.HotKeyThrottled " + clampedWrites,
        "Engine.Calls " + engineCalls,
        "Engine.CallsSaved " + engineCallsSaved,
        "Filter.FalsePositives " + falsePositives,
        "Filter.Disagreements " + disagreements,
        "Routing.Moves " + routingMoves);
  }
}
