package io.heatshield.micrometer;

import static io.heatshield.micrometer.MeterDefinition.counter;
import static io.heatshield.micrometer.MeterDefinition.gauge;

import io.heatshield.ring.RingStats;
import java.util.List;

/** The meters of a ring. The server has no ring of its own, so it prints none of these. */
final class RingMeters {
  static final List<MeterDefinition<RingStats>> METERS =
      List.of(
          gauge("ring.keys", "Keys whose counts have not expired", RingStats::size),
          gauge("ring.bytes", "Maximum memory of the keys of a ring", RingStats::bytes),
          counter("ring.touches", "Requests counted by a ring", RingStats::touches),
          counter("ring.inserts", "Keys inserted into a ring", RingStats::inserts),
          counter("ring.removes", "Keys removed from a ring by a call", RingStats::removes),
          counter("ring.expired", "Keys removed because their counts expired", RingStats::expired),
          counter(
              "ring.evicted",
              "Keys evicted from a full ring because of a lower count",
              RingStats::evicted),
          counter(
              "ring.refused",
              "Requests refused because their key is at its limit",
              RingStats::refused),
          counter(
              "ring.drops", "Requests not counted because the ring was full", RingStats::drops));

  private RingMeters() {}
}
