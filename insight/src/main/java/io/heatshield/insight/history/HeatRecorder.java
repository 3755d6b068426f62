package io.heatshield.insight.history;

import io.heatshield.detect.HotKeyDetector;
import io.heatshield.detect.HotPrefix;
import io.heatshield.detect.KeyReport;
import io.heatshield.detect.StoredKey;
import io.heatshield.insight.scope.ServerScopes;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** Records the hottest keys and prefixes of all scopes in a history. */
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

  /** Records the current rates. */
  public void record() {
    var heats = new ArrayList<Heat>();
    scopes.all().forEach((scope, detector) -> add(heats, scope, detector));
    history.add(clock.millis(), heats);
  }

  private static void add(List<Heat> heats, String scope, HotKeyDetector detector) {
    for (KeyReport key : detector.top(KEYS_PER_SCOPE)) {
      heats.add(heat(scope, key.key(), false, key.rate()));
    }
    for (HotPrefix prefix : detector.hotPrefixes()) {
      heats.add(heat(scope, prefix.prefix(), true, prefix.rate()));
    }
  }

  private static Heat heat(String scope, StoredKey key, boolean prefix, double rate) {
    return new Heat(new HotName(scope, key.toString(), key.label(), prefix), rate);
  }
}
