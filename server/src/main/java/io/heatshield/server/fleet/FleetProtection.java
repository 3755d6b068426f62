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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Applies the fleet's hot keys to stores, shield and limits.
 *
 * <p>Only keys that are certainly hot and not truncated are applied. When the fleet becomes
 * unavailable, no key counts as hot in it. Used by the fleet thread, except {@link #hot}.
 */
public final class FleetProtection {
  private final ServerStores stores;
  private final @Nullable Shield shield;
  private final @Nullable ServerLimits limits;
  private boolean applied;
  private volatile int hot;

  /** Creates an instance without hot keys. */
  public FleetProtection(
      ServerStores stores, @Nullable Shield shield, @Nullable ServerLimits limits) {
    this.stores = stores;
    this.shield = shield;
    this.limits = limits;
  }

  /** Applies the hot keys of a view, unless it is being rebuilt. */
  void apply(FleetView view) {
    if (view.isRebuilding()) {
      return;
    }
    long live =
        view.members().stream().filter(member -> member.state() == FleetMember.State.LIVE).count();
    applied = true;
    hot = view.scopes().stream().mapToInt(FleetScope::hot).sum();
    apply(scope -> hotKeys(view, scope), hotTexts(view), (int) live);
  }

  /** Clears the hot keys, because the fleet is unavailable. */
  void clear() {
    if (applied) {
      applied = false;
      hot = 0;
      apply(scope -> List.of(), Map.of(), 1);
    }
  }

  private void apply(
      Function<String, List<byte[]>> keys, Map<String, List<String>> texts, int nodes) {
    stores.all().forEach((name, store) -> store.hotElsewhere(keys.apply(name), nodes));
    if (shield != null) {
      shield.hotElsewhere(keys.apply(Shield.SCOPE), nodes);
    }
    if (limits != null) {
      limits.hotElsewhere(texts);
    }
  }

  /** Returns the number of hot keys of the fleet. */
  int hot() {
    return hot;
  }

  private static Map<String, List<String>> hotTexts(FleetView view) {
    var texts = new LinkedHashMap<String, List<String>>();
    for (FleetScope scope : view.scopes()) {
      List<byte[]> keys = hotKeys(view, scope.scope());
      if (!keys.isEmpty()) {
        texts.put(
            scope.scope(),
            keys.stream().map(key -> new String(key, StandardCharsets.UTF_8)).toList());
      }
    }
    return texts;
  }

  private static List<byte[]> hotKeys(FleetView view, String scope) {
    return view.scopes().stream()
        .filter(one -> one.scope().equals(scope))
        .flatMap(one -> one.keys().stream())
        .filter(key -> key.isHot() && key.key().isWhole())
        .map(key -> key.key().bytes())
        .toList();
  }
}
