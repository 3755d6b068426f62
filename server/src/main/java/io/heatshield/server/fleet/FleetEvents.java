package io.heatshield.server.fleet;

import io.heatshield.detect.KeyReport;
import io.heatshield.detect.StoredKey;
import io.heatshield.detect.Verdict;
import io.heatshield.fleet.FleetKey;
import io.heatshield.fleet.FleetScope;
import io.heatshield.fleet.FleetView;
import io.heatshield.insight.scope.HotEvent;
import io.heatshield.insight.scope.LogThrottle;
import io.heatshield.insight.scope.ServerScopes;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs and publishes the keys that turn hot or cool in the whole fleet.
 *
 * <p>Each node compares consecutive views, so its listeners get each event once. Webhooks are sent
 * only by the node that merged the view. A hot key stays hot while the fleet is unavailable, while
 * its view is rebuilt, and while the key is uncertain. Used by the fleet thread only.
 */
final class FleetEvents {
  private static final Logger log = LoggerFactory.getLogger(FleetEvents.class);

  /** The maximum number of remembered hot keys of a scope whose list is truncated. */
  private static final int MAX_KEYS = 4 * FleetScope.MAX_KEYS;

  private final ServerScopes scopes;
  private final String fleet;
  private final String node;
  private final LogThrottle throttle;

  /** The hot keys of each scope by keyed hash: an attacker can make labels collide. */
  private Map<String, Map<Long, StoredKey>> hot = Map.of();

  FleetEvents(ServerScopes scopes, String fleet, String node, LogThrottle throttle) {
    this.scopes = scopes;
    this.fleet = fleet;
    this.node = node;
    this.throttle = throttle;
  }

  /** Publishes the changes since the last view. */
  void update(FleetView view) {
    if (view.isRebuilding()) {
      return;
    }
    boolean first = view.merger().equals(node);
    var before = new HashMap<>(hot);
    var now = new HashMap<String, Map<Long, StoredKey>>();
    for (FleetScope scope : view.scopes()) {
      Map<Long, StoredKey> known = before.remove(scope.scope());
      now.put(scope.scope(), update(scope, known == null ? Map.of() : known, first));
    }
    before.forEach(
        (scope, keys) -> keys.values().forEach(key -> publishCooled(scope, key, 0, first)));
    hot = now;
  }

  private Map<Long, StoredKey> update(
      FleetScope scope, Map<Long, StoredKey> before, boolean first) {
    var unlisted = new LinkedHashMap<>(before);
    var now = new LinkedHashMap<Long, StoredKey>();
    for (FleetKey key : scope.keys()) {
      boolean was = unlisted.remove(key.key().keyedHash()) != null;
      if (key.isHot() || (was && key.kind() == Verdict.Kind.UNCERTAIN)) {
        now.put(key.key().keyedHash(), key.key());
      }
      boolean is = now.containsKey(key.key().keyedHash());
      if (is != was) {
        publish(is, scope, key, first);
      }
    }
    boolean truncated = scope.keys().size() == FleetScope.MAX_KEYS;
    if (truncated && now.size() + unlisted.size() <= MAX_KEYS) {
      now.putAll(unlisted);
    } else {
      unlisted
          .values()
          .forEach(key -> publishCooled(scope.scope(), key, scope.unlistedBelow(), first));
    }
    return now;
  }

  private void publish(boolean isHot, FleetScope scope, FleetKey key, boolean first) {
    double rate = key.estimate() * 1000.0 / scope.windowMillis();
    var report =
        new KeyReport(
            key.key(),
            key.kind(),
            key.estimate(),
            key.error(),
            key.guaranteed(),
            scope.atLeast(),
            rate,
            Duration.ZERO,
            Duration.ZERO,
            Duration.ZERO,
            0);
    publish(isHot, scope.scope(), report, key.nodes(), first);
  }

  /** Publishes that a key has cooled that no node lists any more. */
  private void publishCooled(String scope, StoredKey key, long atMost, boolean first) {
    var report =
        new KeyReport(
            key,
            Verdict.Kind.COOL,
            atMost,
            atMost,
            0,
            false,
            0,
            Duration.ZERO,
            Duration.ZERO,
            Duration.ZERO,
            0);
    publish(false, scope, report, 0, first);
  }

  private void publish(boolean isHot, String scope, KeyReport key, int nodes, boolean first) {
    if (throttle.tryAcquire(isHot + "/" + scope + "/" + key.key().keyedHash())) {
      if (isHot) {
        log.warn(
            "key {} in {} is hot in the fleet: estimate {} - {} on {} nodes (key_hash {})",
            key.key(),
            scope,
            key.estimate(),
            key.error(),
            nodes,
            key.key().label());
      } else {
        log.info(
            "key {} in {} has cooled in the fleet (key_hash {})",
            key.key(),
            scope,
            key.key().label());
      }
    }
    scopes.publishFleetEvent(isHot, scope, key, new HotEvent.Fleet(fleet, nodes, first));
  }
}
