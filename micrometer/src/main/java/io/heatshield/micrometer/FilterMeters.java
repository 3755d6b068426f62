package io.heatshield.micrometer;

import static io.heatshield.micrometer.MeterDefinition.counter;
import static io.heatshield.micrometer.MeterDefinition.gauge;

import io.heatshield.filter.FilterStats;
import java.util.List;

/** The meters of a filter. Those of a store's filter are among the meters of the store. */
final class FilterMeters {
  static final List<MeterDefinition<FilterStats>> METERS =
      List.of(
          gauge("filter.keys", "Fingerprints in a filter", FilterStats::size),
          gauge(
              "filter.capacity",
              "Fingerprints that fit before a filter grows or refuses keys",
              FilterStats::capacity),
          gauge("filter.bytes", "Memory of a filter", FilterStats::bytes),
          gauge(
              "filter.false.positive.rate",
              "Probability that an absent key looks present, at the present load",
              FilterStats::expectedFalsePositiveRate),
          gauge(
              "filter.rebuild.wanted",
              "1 if the filter waits to be rebuilt",
              stats -> stats.rebuildWanted() ? 1 : 0),
          counter("filter.refused", "Keys refused because a filter was full", FilterStats::refused),
          counter(
              "filter.kept",
              "Keys not removed because several tables of the filter match them",
              FilterStats::kept));

  private FilterMeters() {}
}
