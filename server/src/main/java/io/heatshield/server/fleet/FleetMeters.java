package io.heatshield.server.fleet;

import io.heatshield.fleet.FleetMember;
import io.heatshield.fleet.FleetView;
import io.heatshield.runtime.metrics.Metrics;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The meters of this process's part in a fleet. */
final class FleetMeters {
  private FleetMeters() {}

  static void bind(Metrics metrics, ServerFleet fleet, RedisExchange exchange, FleetHeat heat) {
    metrics.gauge(
        "fleet.local.only",
        "Whether only this node's own numbers can be told",
        () -> fleet.answer().view() == null ? 1 : 0);
    metrics.gauge("fleet.hot.keys", "Keys that are hot in the whole fleet now", heat::hot);
    for (FleetMember.State state : FleetMember.State.values()) {
      metrics.gauge(
          "fleet.nodes",
          "Nodes of the fleet, by whether their numbers are in the answer",
          () -> count(fleet.answer().view(), state),
          "state",
          state.name().toLowerCase(Locale.ROOT));
    }
    metrics.counter(
        "fleet.bytes",
        "Bytes of snapshots and views between this node and Redis",
        exchange::bytesOut,
        "direction",
        "out");
    metrics.counter(
        "fleet.bytes",
        "Bytes of snapshots and views between this node and Redis",
        exchange::bytesIn,
        "direction",
        "in");
  }

  private static long count(@Nullable FleetView view, FleetMember.State state) {
    return view == null
        ? 0
        : view.members().stream().filter(member -> member.state() == state).count();
  }
}
