package io.heatshield.rls;

import io.heatshield.detect.HotKeyDetector;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.key.KeyText;
import io.heatshield.limit.Descriptor;
import io.heatshield.limit.rule.TouchListener;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Touches every requested descriptor in the scope of its domain.
 *
 * <p>The key is the descriptor's text, {@code key=value,key=value}. A domain for which no scope is
 * left is limited like the others, but its hot keys are not detected.
 */
final class DomainTouches implements TouchListener {
  /*
   * detectors   volatile; read by every touch, replaced as a whole
   */
  private static final Logger log = LoggerFactory.getLogger(DomainTouches.class);

  private final ServerScopes scopes;
  private volatile Map<String, HotKeyDetector> detectors = Map.of();

  DomainTouches(ServerScopes scopes) {
    this.scopes = scopes;
  }

  /** Opens a scope for every new domain; scopes of removed domains stay. */
  synchronized void watch(Set<String> domains) {
    var next = new HashMap<>(detectors);
    for (String domain : domains) {
      if (!next.containsKey(domain)) {
        try {
          next.put(domain, scopes.open(domain));
        } catch (IllegalStateException e) {
          log.warn(
              "domain {} is limited, but its hot keys are not detected: {}",
              KeyText.of(domain),
              e.getMessage());
        }
      }
    }
    detectors = Map.copyOf(next);
  }

  /** Returns whether a scope is that of a domain. */
  boolean watches(String scope) {
    return detectors.containsKey(scope);
  }

  @Override
  public void touched(String domain, Descriptor descriptor, long hits) {
    HotKeyDetector detector = detectors.get(domain);
    if (detector != null && !descriptor.entries().isEmpty()) {
      detector.touch(descriptor.text(), hits);
    }
  }
}
