package io.heatshield.server.fleet;

import io.heatshield.fleet.FleetKey;
import io.heatshield.fleet.FleetMember;
import io.heatshield.fleet.FleetScope;
import io.heatshield.fleet.FleetView;
import io.heatshield.server.limit.ServerLimits;
import io.heatshield.server.scope.WarnGate;
import io.heatshield.server.store.ServerStores;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands what is hot in the fleet to those who can act on it, and tells the log of every turn.
 *
 * <p>Only keys that are hot for certain and known whole are handed on; a view that ends hands on
 * that nothing is hot. Used by the thread of the fleet.
 */
final class FleetHeat {
  private static final Logger log = LoggerFactory.getLogger(FleetHeat.class);

  private final ServerStores stores;
  private final @Nullable ServerLimits limits;
  private final WarnGate gate;
  private Map<String, Set<String>> last = new HashMap<>();
  private volatile int hot;

  FleetHeat(ServerStores stores, @Nullable ServerLimits limits, WarnGate gate) {
    this.stores = stores;
    this.limits = limits;
    this.gate = gate;
  }

  void take(FleetView view) {
    int nodes =
        (int)
            view.members().stream()
                .filter(member -> member.state() == FleetMember.State.LIVE)
                .count();
    var now = new HashMap<String, Set<String>>();
    int count = 0;
    for (FleetScope scope : view.scopes()) {
      List<FleetKey> keys = scope.keys().stream().filter(FleetKey::isHot).toList();
      Set<String> before = last.getOrDefault(scope.scope(), Set.of());
      var labels = new HashSet<String>();
      for (FleetKey key : keys) {
        labels.add(key.key().label());
        if (!before.contains(key.key().label())) {
          turnedHot(scope.scope(), key);
        }
      }
      now.put(scope.scope(), labels);
      count += scope.hot();
    }
    last = now;
    hot = count;
    stores.all().forEach((name, store) -> store.hotElsewhere(wholeKeysOf(view, name), nodes));
    if (limits != null) {
      limits.hotElsewhere(textsOf(view));
    }
  }

  /** Hands on that nothing is known to be hot: the fleet cannot be seen. */
  void lose() {
    if (!last.isEmpty()) {
      last = new HashMap<>();
      hot = 0;
      stores.all().values().forEach(store -> store.hotElsewhere(List.of(), 1));
      if (limits != null) {
        limits.hotElsewhere(Map.of());
      }
    }
  }

  /** Returns how many keys are hot in the fleet. */
  int hot() {
    return hot;
  }

  private void turnedHot(String scope, FleetKey key) {
    if (gate.pass(scope + "/" + key.key().label())) {
      log.warn(
          "key {} in {} is hot in the fleet: estimate {} - {} on {} nodes (key_hash {})",
          key.key(),
          scope,
          key.estimate(),
          key.error(),
          key.nodes(),
          key.key().label());
    }
  }

  private static Map<String, List<String>> textsOf(FleetView view) {
    var texts = new LinkedHashMap<String, List<String>>();
    for (FleetScope scope : view.scopes()) {
      List<byte[]> keys = wholeKeysOf(view, scope.scope());
      if (!keys.isEmpty()) {
        texts.put(
            scope.scope(),
            keys.stream().map(key -> new String(key, StandardCharsets.UTF_8)).toList());
      }
    }
    return texts;
  }

  private static List<byte[]> wholeKeysOf(FleetView view, String scope) {
    return view.scopes().stream()
        .filter(one -> one.scope().equals(scope))
        .flatMap(one -> one.keys().stream())
        .filter(key -> key.isHot() && key.key().isWhole())
        .map(key -> key.key().bytes())
        .toList();
  }
}
