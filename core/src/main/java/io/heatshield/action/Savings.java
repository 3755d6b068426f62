package io.heatshield.action;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The registry of all actions of a process, by name and scope.
 *
 * <p>It holds at most {@value #MAX_ACTIONS} actions. More are an error of the caller, because
 * actions come from the configuration and never from keys. Any thread may call any method.
 */
public final class Savings {
  /** The most actions of a registry. */
  public static final int MAX_ACTIONS = 4096;

  private record ActionId(String name, String scope) {}

  private final Map<ActionId, Action> actions = new ConcurrentHashMap<>();
  private final Map<String, KeyEffects> effects = new ConcurrentHashMap<>();

  /** Creates an empty registry. */
  public Savings() {}

  /** Returns the action of a name and scope; the first call creates it, with the given mode. */
  public Action action(String name, String scope, Mode mode) {
    var id = new ActionId(name, scope);
    Action existing = actions.get(id);
    if (existing != null) {
      return existing;
    }
    if (actions.size() >= MAX_ACTIONS) {
      throw new IllegalStateException("number of actions must be at most " + MAX_ACTIONS);
    }
    Action action = actions.computeIfAbsent(id, i -> new Action(name, scope, mode));
    action.effects(effects.get(scope));
    return action;
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
    actions.remove(new ActionId(name, scope));
  }

  /** Returns the counts of all actions, ordered by scope and name. */
  public List<Action.Snapshot> snapshot() {
    return actions.values().stream()
        .map(Action::snapshot)
        .sorted(Comparator.comparing(Action.Snapshot::scope).thenComparing(Action.Snapshot::name))
        .toList();
  }
}
