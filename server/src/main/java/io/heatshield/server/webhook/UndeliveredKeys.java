package io.heatshield.server.webhook;

import io.heatshield.insight.scope.HotEvent;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The keys whose {@code hot} event was not delivered, so that their {@code cool} event is skipped.
 *
 * <p>Remembers the newest {@value #MAX_KEYS} keys. Thread-safe.
 */
final class UndeliveredKeys {
  static final int MAX_KEYS = 4096;

  /** A key by its keyed hash. Events of the fleet and of this process are separate. */
  private record Name(String scope, long hash, boolean fleet) {
    static Name of(HotEvent event) {
      return new Name(event.scope(), event.key().key().keyedHash(), event.fleet() != null);
    }
  }

  private final Set<Name> names = new LinkedHashSet<>();

  synchronized void add(HotEvent hot) {
    names.add(Name.of(hot));
    if (names.size() > MAX_KEYS) {
      Iterator<Name> oldest = names.iterator();
      oldest.next();
      oldest.remove();
    }
  }

  /** Removes the key of an event and returns whether it was present. */
  synchronized boolean remove(HotEvent event) {
    return names.remove(Name.of(event));
  }
}
