package io.heatshield.store.stats;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a store holds and did, since it was opened; taken while others go on.
 *
 * @param hotReadKeys the keys that are read most, if often
 * @param hotWriteKeys the keys that are written most, if often
 * @param clampedWrites writes that were refused
 * @param absentAnswers reads that the filter answered
 * @param falsePositives reads of keys that the filter let through and the engine did not hold
 * @param disagreements keys that the filter said were absent and the engine held: must be 0 unless
 *     others write
 * @param flightsJoined reads that shared the call of another
 * @param cacheHits reads that the cache answered
 * @param engineCalls calls that were made to the engine
 * @param engineCallsSaved calls that were not
 * @param groupedWrites writes that went to the engine in a group, and how many groups that were
 * @param groups how many groups
 * @param routingMoves keys that changed sides
 * @param expired keys that were deleted because they had ended
 * @param filterBytes memory of the filter
 * @param cacheBytes memory of the cache
 * @param ringBytes memory of the rings
 * @param dataBytes memory of the data, if that is where the engine has it
 * @param maxBytes the most memory
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

  /** Returns the numbers in lines for people. */
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
