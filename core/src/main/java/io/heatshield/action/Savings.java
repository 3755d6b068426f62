package io.heatshield.action;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All actions of a process, by what they do and where: the ledger of what was saved.
 *
 * <p>Holds at most {@value #MAX_ACTIONS} actions; asking for one more is a mistake of the caller,
 * because actions come from configuration and never from keys. Any thread may call any method.
 */
public final class Savings {
  /** The most actions a ledger holds. */
  public static final int MAX_ACTIONS = 4096;

  private record Place(String name, String scope) {}

  private final Map<Place, Action> actions = new ConcurrentHashMap<>();
  private final Map<String, KeyEffects> effects = new ConcurrentHashMap<>();

  /** Returns the action of this name in this scope; the first call makes it, in the mode given. */
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

  /** Reports to which keys the actions of a scope are applied, from now on. */
  public void effects(String scope, KeyEffects listener) {
    effects.put(scope, listener);
    actions.values().stream()
        .filter(action -> action.snapshot().scope().equals(scope))
        .forEach(action -> action.effects(listener));
  }

  /** Takes an action out of the ledger that configuration no longer has, with its counts. */
  public void remove(String name, String scope) {
    actions.remove(new Place(name, scope));
  }

  /** Returns what every action did so far, by scope and name. */
  public List<Action.Snapshot> snapshot() {
    return actions.values().stream()
        .map(Action::snapshot)
        .sorted(Comparator.comparing(Action.Snapshot::scope).thenComparing(Action.Snapshot::name))
        .toList();
  }
}
