package io.heatshield.server.webhook;

import io.heatshield.insight.scope.HotEvent;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The keys whose {@code hot} was not posted, so that their {@code cool} is not either.
 *
 * <p>At most {@value #MAX_KEYS} are remembered, the newest; any thread may call.
 */
final class LostTurns {
  static final int MAX_KEYS = 4096;

  /** A key, by its keyed hash; the fleet's turns of a key are not this process's. */
  private record Name(String scope, long hash, boolean fleet) {
    static Name of(HotEvent event) {
      return new Name(event.scope(), event.key().hash(), event.fleet() != null);
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

  /** Forgets the key of an event; returns whether it was remembered. */
  synchronized boolean remove(HotEvent event) {
    return names.remove(Name.of(event));
  }
}
