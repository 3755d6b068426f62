package io.heatshield.server.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.config.settings.DetectSettings;
import io.heatshield.detect.StoredKey;
import io.heatshield.detect.Verdict.Kind;
import io.heatshield.fleet.FleetKey;
import io.heatshield.fleet.FleetMember;
import io.heatshield.fleet.FleetMember.State;
import io.heatshield.fleet.FleetScope;
import io.heatshield.fleet.FleetView;
import io.heatshield.hash.HashSecret;
import io.heatshield.insight.scope.HotEvent;
import io.heatshield.insight.scope.LogThrottle;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.testkit.time.FakeTicker;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FleetEventsTest {
  private final FakeTicker ticker = new FakeTicker();
  private final Metrics metrics = new Metrics();
  private final ServerScopes scopes =
      new ServerScopes(detect(), HashSecret.random(), ticker::nanos, Clock.systemUTC(), metrics);
  private final List<HotEvent> events = new ArrayList<>();
  private final FleetEvents fleetEvents =
      new FleetEvents(scopes, "prod", "b", new LogThrottle(ticker::nanos, Duration.ofSeconds(10)));

  FleetEventsTest() {
    scopes.addListener(events::add);
  }

  @AfterEach
  void stop() {
    metrics.close();
  }

  @Test
  void update_keyTurnsHotAndCools_isPublishedOnceEach() {
    fleetEvents.update(view("b", State.LIVE, key(1, Kind.HOT)));
    fleetEvents.update(view("a", State.LIVE, key(1, Kind.HOT)));
    fleetEvents.update(view("a", State.LIVE, key(1, Kind.COOL)));
    fleetEvents.update(view("a", State.LIVE, key(1, Kind.COOL)));

    assertThat(events).extracting(HotEvent::hot).containsExactly(true, false);
    assertThat(events)
        .extracting(HotEvent::fleet)
        .containsExactly(new HotEvent.Fleet("prod", 2, true), new HotEvent.Fleet("prod", 2, false));
    assertThat(events.get(0).fields())
        .containsEntry("event", "hot")
        .containsEntry("fleet", "prod")
        .containsEntry("nodes", 2)
        .containsEntry("scope", "main")
        .containsEntry("key", "key1")
        .containsEntry("rate", 10.0)
        .containsEntry("estimate", 600L);
  }

  @Test
  void update_keyThatNoNodeReports_hasCooled() {
    fleetEvents.update(view("b", State.LIVE, key(1, Kind.HOT)));
    fleetEvents.update(view("b", State.LIVE));

    assertThat(events).extracting(HotEvent::hot).containsExactly(true, false);
    assertThat(events.get(1).key().estimate()).isEqualTo(7);
  }

  @Test
  void update_removedScope_hasCooled() {
    fleetEvents.update(view("b", State.LIVE, key(1, Kind.HOT)));
    fleetEvents.update(new FleetView("b", 2, List.of(), List.of(), List.of()));

    assertThat(events).extracting(HotEvent::hot).containsExactly(true, false);
  }

  @Test
  void update_viewThatIsRebuilt_changesNothing() {
    fleetEvents.update(view("b", State.LIVE, key(1, Kind.HOT)));
    fleetEvents.update(view("b", State.LOST, key(1, Kind.COOL)));
    fleetEvents.update(view("b", State.LOST));
    fleetEvents.update(view("b", State.LIVE, key(1, Kind.HOT)));

    assertThat(events).extracting(HotEvent::hot).containsExactly(true);
  }

  @Test
  void update_hotKeyThatIsUncertainForAWhile_staysHot() {
    fleetEvents.update(view("b", State.LIVE, key(1, Kind.HOT), key(2, Kind.UNCERTAIN)));
    fleetEvents.update(view("b", State.LIVE, key(1, Kind.UNCERTAIN)));
    fleetEvents.update(view("b", State.LIVE, key(1, Kind.HOT)));

    assertThat(events).extracting(event -> event.key().key().toString()).containsExactly("key1");
  }

  @Test
  void update_moreHotKeysThanTheViewLists_coolsNone() {
    fleetEvents.update(view("b", State.LIVE, keys(0)));
    fleetEvents.update(view("b", State.LIVE, keys(1)));
    fleetEvents.update(view("b", State.LIVE, keys(0)));

    assertThat(events).hasSize(FleetScope.MAX_KEYS + 1).allMatch(HotEvent::hot);
  }

  private static FleetKey[] keys(int from) {
    return IntStream.range(from, from + FleetScope.MAX_KEYS)
        .mapToObj(i -> key(i, Kind.HOT))
        .toArray(FleetKey[]::new);
  }

  private static FleetKey key(int number, Kind kind) {
    byte[] bytes = ("key" + number).getBytes(StandardCharsets.UTF_8);
    StoredKey stored = StoredKey.of(bytes, bytes.length, 100 + number, number);
    return new FleetKey(stored, kind, 600, 0, 600, 0, 2, List.of());
  }

  private static FleetView view(String merger, State other, FleetKey... keys) {
    var scope = new FleetScope("main", 60_000, 500, 2, 600, 0, 1, false, 7, 1, 0, List.of(keys));
    List<FleetMember> members =
        List.of(new FleetMember("a", other, 0, "", 1), new FleetMember("b", State.LIVE, 0, "", 1));
    return new FleetView(merger, 1, members, List.of(), List.of(scope));
  }

  private static DetectSettings detect() {
    byte[] nothing = new byte[0];
    return ((LoadResult.Valid) new ConfigLoader(Map.of()).load("test", nothing))
        .configuration()
        .settings()
        .detect();
  }
}
