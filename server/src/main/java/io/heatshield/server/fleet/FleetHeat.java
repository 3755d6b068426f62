package io.heatshield.server.fleet;

import io.heatshield.data.store.ServerStores;
import io.heatshield.fleet.FleetMember;
import io.heatshield.fleet.FleetScope;
import io.heatshield.fleet.FleetView;
import io.heatshield.rls.ServerLimits;
import io.heatshield.shield.Shield;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Hands what is hot in the fleet to those who can act on it: stores, shield and limits.
 *
 * <p>Only keys that are hot for certain and known whole are handed on; a view that ends hands on
 * that nothing is hot. Used by the thread of the fleet.
 */
public final class FleetHeat {
  private final ServerStores stores;
  private final @Nullable Shield shield;
  private final @Nullable ServerLimits limits;
  private boolean handedOn;
  private volatile int hot;

  /** Creates one that has handed on nothing. */
  public FleetHeat(ServerStores stores, @Nullable Shield shield, @Nullable ServerLimits limits) {
    this.stores = stores;
    this.shield = shield;
    this.limits = limits;
  }

  /** Hands on what a view shows; one that is rebuilt leaves what was handed on before. */
  void take(FleetView view) {
    if (view.isRebuilding()) {
      return;
    }
    long live =
        view.members().stream().filter(member -> member.state() == FleetMember.State.LIVE).count();
    int nodes = (int) live;
    handedOn = true;
    hot = view.scopes().stream().mapToInt(FleetScope::hot).sum();
    stores.all().forEach((name, store) -> store.hotElsewhere(wholeKeysOf(view, name), nodes));
    if (shield != null) {
      shield.hotElsewhere(wholeKeysOf(view, Shield.SCOPE), nodes);
    }
    if (limits != null) {
      limits.hotElsewhere(textsOf(view));
    }
  }

  /** Hands on that nothing is known to be hot: the fleet cannot be seen. */
  void lose() {
    if (handedOn) {
      handedOn = false;
      hot = 0;
      stores.all().values().forEach(store -> store.hotElsewhere(List.of(), 1));
      if (shield != null) {
        shield.hotElsewhere(List.of(), 1);
      }
      if (limits != null) {
        limits.hotElsewhere(Map.of());
      }
    }
  }

  /** Returns how many keys are hot in the fleet. */
  int hot() {
    return hot;
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
