package io.heatshield.action;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The registry of all actions of a process, by name and scope.
 *
 * <p>It holds at most {@value #MAX_ACTIONS} actions. One more is an error of the caller, because
 * actions come from the configuration and never from keys. Any thread may call any method.
 */
public final class Savings {
  /** The most actions of a registry. */
  public static final int MAX_ACTIONS = 4096;

  private record Place(String name, String scope) {}

  private final Map<Place, Action> actions = new ConcurrentHashMap<>();
  private final Map<String, KeyEffects> effects = new ConcurrentHashMap<>();

  /** Returns the action of a name and scope; the first call creates it, with the given mode. */
  public Action action(String name, String scope, Mode mode) {
    var place = new Place(name, scope);
    Action action = actions.get(place);
    if (action != null) {
      return action;
    }
    if (actions.size() >= MAX_ACTIONS) {
      throw new IllegalStateException("actions must number at most " + MAX_ACTIONS);
    }
    Action made = actions.computeIfAbsent(place, p -> new Action(p.name(), p.scope(), mode));
    made.effects(effects.get(scope));
    return made;
  }

  /** Sets the listener for the keys to which the actions of a scope are applied. */
  public void effects(String scope, KeyEffects listener) {
    effects.put(scope, listener);
    actions.values().stream()
        .filter(action -> action.snapshot().scope().equals(scope))
        .forEach(action -> action.effects(listener));
  }

  /** Removes an action that is no longer configured, with its counts. */
  public void remove(String name, String scope) {
    actions.remove(new Place(name, scope));
  }

  /** Returns the counts of all actions, ordered by scope and name. */
  public List<Action.Snapshot> snapshot() {
    return actions.values().stream()
        .map(Action::snapshot)
        .sorted(Comparator.comparing(Action.Snapshot::scope).thenComparing(Action.Snapshot::name))
        .toList();
  }
}
