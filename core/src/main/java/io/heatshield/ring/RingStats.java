package io.heatshield.ring;

/**
 * Statistics of a ring. They are exact if no other thread uses the ring while they are collected.
 *
 * @param size the number of keys whose counts have not expired
 * @param bytes the most memory that these keys take, by {@link HotRing#entryBytes}
 * @param cells the number of cells of the table
 * @param touches the touches that were counted, including admitted calls
 * @param inserts the keys that were inserted
 * @param removes the keys that were removed by a call
 * @param expired the keys that were removed because their counts had expired
 * @param evicted the keys that were evicted to make room for a new key
 * @param refused the calls that were refused, because of their limit or because the ring was full
 * @param drops the touches and limited calls that were not counted because the ring was full
 * @param rotations the generations that have ended
 * @param listenerFaults the calls of the listener that threw
 */
public record RingStats(
    long size,
    long bytes,
    long cells,
    long touches,
    long inserts,
    long removes,
    long expired,
    long evicted,
    long refused,
    long drops,
    long rotations,
    long listenerFaults) {}
