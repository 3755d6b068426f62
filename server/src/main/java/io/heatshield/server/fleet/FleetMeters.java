package io.heatshield.server.fleet;

import io.heatshield.fleet.FleetMember;
import io.heatshield.fleet.FleetView;
import io.heatshield.runtime.metrics.Metrics;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The metrics of a fleet node. */
final class FleetMeters {
  private FleetMeters() {}

  static void bind(
      Metrics metrics, ServerFleet fleet, RedisExchange exchange, FleetProtection protection) {
    metrics.gauge(
        "fleet.local.only",
        "1 if the fleet is unavailable and only the counts of this node are reported",
        () -> fleet.answer().view() == null ? 1 : 0);
    metrics.gauge("fleet.hot.keys", "Hot keys of the whole fleet", protection::hot);
    for (FleetMember.State state : FleetMember.State.values()) {
      metrics.gauge(
          "fleet.nodes",
          "Nodes of the fleet, by state",
          () -> count(fleet.answer().view(), state),
          "state",
          state.name().toLowerCase(Locale.ROOT));
    }
    String bytes = "Bytes of snapshots and views between this node and Redis";
    metrics.counter("fleet.bytes", bytes, exchange::bytesOut, "direction", "out");
    metrics.counter("fleet.bytes", bytes, exchange::bytesIn, "direction", "in");
  }

  private static long count(@Nullable FleetView view, FleetMember.State state) {
    return view == null
        ? 0
        : view.members().stream().filter(member -> member.state() == state).count();
  }
}
