package io.heatshield.insight.history;

import io.heatshield.detect.HotKeyDetector;
import io.heatshield.insight.scope.ServerScopes;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes the hottest keys and prefixes of all scopes into a history, whenever it is called. */
public final class HeatRecorder {
  private static final int KEYS_PER_SCOPE = 16;

  private final ServerScopes scopes;
  private final Clock clock;
  private final HeatHistory history;

  /** Creates a recorder. */
  public HeatRecorder(ServerScopes scopes, Clock clock, HeatHistory history) {
    this.scopes = scopes;
    this.clock = clock;
    this.history = history;
  }

  /** Writes the present moment. */
  public void record() {
    var heats = new ArrayList<Heat>();
    for (Map.Entry<String, HotKeyDetector> scope : scopes.all().entrySet()) {
      heats.addAll(heats(scope.getKey(), scope.getValue()));
    }
    history.add(clock.millis(), heats);
  }

  private static List<Heat> heats(String scope, HotKeyDetector detector) {
    var heats = new ArrayList<Heat>();
    detector
        .top(KEYS_PER_SCOPE)
        .forEach(
            key ->
                heats.add(
                    new Heat(
                        new HotName(scope, key.key().toString(), key.key().label(), false),
                        key.rate())));
    detector
        .hotPrefixes()
        .forEach(
            hot ->
                heats.add(
                    new Heat(
                        new HotName(scope, hot.prefix().toString(), hot.prefix().label(), true),
                        hot.rate())));
    return heats;
  }
}
