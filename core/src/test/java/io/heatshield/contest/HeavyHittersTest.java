package io.heatshield.contest;

import static io.heatshield.contest.ContestFixture.bytes;
import static io.heatshield.time.Rate.perSecond;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.action.Mode;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.time.Rate;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeavyHittersTest {
  private static final Rule FIVE_AT_ONCE =
      Rule.rate("five", Rate.perHour(1)).burst(5).block(ofMinutes(5));

  private final ContestFixture fixture = new ContestFixture();

  @Test
  void touch_ofTheExample_blocksFloodsAndScans() {
    var clients =
        HeavyHitters.builder()
            .maxKeys(10_000)
            .window(ofSeconds(30))
            .distinct(DistinctSettings.DEFAULT)
            .rule(Rule.rate("flood", perSecond(50)).block(ofSeconds(5)))
            .rule(Rule.distinct("scan", 90).block(ofMinutes(1)))
            .ticker(fixture.ticker::nanos)
            .build();

    for (int i = 0; i < 200; i++) {
      clients.touch("flooder", "/login");
      clients.touch("scanner", "/" + i);
      fixture.ticker.advance(Duration.ofMillis(15));
    }
    Decision flood = clients.touch("flooder", "/login");
    Decision scan = clients.touch("scanner", "/");

    assertThat(flood.refused()).isTrue();
    assertThat(flood.rule()).contains("flood");
    assertThat(flood.retryAfter()).isBetween(Duration.ofNanos(1), ofSeconds(5));
    assertThat(scan.rule()).contains("scan");
    assertThat(clients.touch("visitor", "/").refused()).isFalse();
  }

  @Test
  void touch_aboveTheRate_isRefusedForExactlyTheBlockTime() {
    HeavyHitters table = fixture.builder(100).rule(FIVE_AT_ONCE).build();

    assertThat(passed(table, "client", 20)).isEqualTo(5);
    assertThat(table.touch("another").refused()).isFalse();

    fixture.ticker.advance(ofMinutes(5).minusNanos(1));
    Decision last = table.touch("client");
    assertThat(last.refused()).isTrue();
    assertThat(last.retryAfter()).isEqualTo(Duration.ofNanos(1));
    assertThat(last.retryAfterSeconds()).isEqualTo(1);
    assertThat(last.counted()).isFalse();
    // A bucket of one touch per hour has not filled up: the next touch meets the rule again.
    fixture.ticker.advanceNanos(1);
    Decision again = table.touch("client");
    assertThat(again).hasToString("refused by five for PT5M");
    assertThat(again.counted()).isTrue();
    assertThat(table.stats().rules()).containsExactly(new RuleStats("five", Mode.ENFORCE, 17, 0));
    assertThat(table.stats().blocks().blocked()).isEqualTo(2);
  }

  @Test
  void touch_whileBlocked_countsNothing() {
    HeavyHitters table = fixture.builder(100).rule(FIVE_AT_ONCE).build();
    assertThat(passed(table, "client", 6)).isEqualTo(5);
    KeyScore before = table.find("client").orElseThrow();

    assertThat(passed(table, "client", 1_000)).isZero();

    assertThat(table.find("client").orElseThrow().score()).isEqualTo(before.score());
    assertThat(table.stats().keys().touches()).isEqualTo(6);
  }

  @Test
  void touch_sameKeyInEveryForm_isOneKey() {
    HeavyHitters table =
        fixture.builder(100).distinct(DistinctSettings.DEFAULT).rule(FIVE_AT_ONCE).build();

    assertThat(table.touch("42", "/a").refused()).isFalse();
    assertThat(table.touch(42, "/b").refused()).isFalse();
    assertThat(table.touch(bytes("42"), "/c").refused()).isFalse();
    assertThat(table.touch(ByteBuffer.wrap(bytes("42")), "/d").refused()).isFalse();
    assertThat(table.touch(CharBuffer.wrap("42")).refused()).isFalse();
    assertThat(table.touch(42).refused()).isTrue();

    assertThat(table.check("42").refused()).isTrue();
    assertThat(table.check(42).refused()).isTrue();
    assertThat(table.check(bytes("42")).refused()).isTrue();
    assertThat(table.check(ByteBuffer.wrap(bytes("42"))).refused()).isTrue();
    assertThat(table.find(42).orElseThrow().distinct().estimate()).isEqualTo(4);
    assertThat(table.find(bytes("42")).orElseThrow().score()).isEqualTo(6);
    assertThat(table.unblock(42)).isTrue();
    assertThat(table.unblock("42")).isFalse();
    assertThat(table.unblock(bytes("42"))).isFalse();
    assertThat(table.unblock(ByteBuffer.wrap(bytes("42")))).isFalse();
    assertThat(table.stats().keys().size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 7, -1, Long.MAX_VALUE, Long.MIN_VALUE})
  void touch_aNumber_isTheKeyOfItsDigits(long number) {
    HeavyHitters table = fixture.builder(100).build();

    table.touch(number);
    table.touch(Long.toString(number));
    table.touch(number, 3, List.of());

    assertThat(table.find(number).orElseThrow().score()).isEqualTo(5);
    assertThat(table.top(1).get(0).key()).isEqualTo(bytes(Long.toString(number)));
    assertThat(table.remove(number).orElseThrow().score()).isEqualTo(5);
    assertThat(table.find(ByteBuffer.wrap(bytes(Long.toString(number))))).isEmpty();
  }

  @Test
  void touch_weightZeroOrNegativeN_throws() {
    HeavyHitters table = fixture.builder(100).build();

    assertThatThrownBy(() -> table.touch("client", 0, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("weight must be positive: 0");
    assertThatThrownBy(() -> table.top(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void touch_ofAKeyWithoutAnEntry_isAdmittedAndNotCounted() {
    HeavyHitters table =
        fixture.builder(1).rule(Rule.rate("all", perSecond(0)).block(ofSeconds(1))).build();
    assertThat(table.touch("first", 1_000, List.of()).refused()).isTrue();

    Decision other = table.touch("other");

    assertThat(other.refused()).isFalse();
    assertThat(other.counted()).isFalse();
    assertThat(table.stats().keys().untracked()).isEqualTo(1);
  }

  @Test
  void touch_meetingTwoRules_isRefusedByTheFirstThatBlocks() {
    HeavyHitters table =
        fixture
            .builder(100)
            .rule(Rule.rate("reports", perSecond(1)))
            .rule(Rule.rate("first", perSecond(1)).burst(3).block(ofSeconds(1)))
            .rule(Rule.rate("second", perSecond(1)).burst(3).block(ofSeconds(9)))
            .build();

    assertThat(passed(table, "client", 10)).isEqualTo(3);

    assertThat(table.check("client")).hasToString("refused by first for PT1S, not counted");
    assertThat(table.blocked())
        .singleElement()
        .satisfies(block -> assertThat(block.rule()).contains("first"));
  }

  @Test
  void touch_withBothConditions_needsBoth() {
    Rule rule = Rule.rate("r", Rate.perHour(1)).burst(40).distinct(20).block(ofMinutes(1));
    HeavyHitters table = fixture.builder(100).distinct(DistinctSettings.DEFAULT).rule(rule).build();
    for (int i = 0; i < 500; i++) {
      assertThat(table.touch("often the same", "/a").refused()).isFalse();
    }
    for (int i = 0; i < 40; i++) {
      assertThat(table.touch("seldom but different", "/" + i).refused()).isFalse();
    }

    assertThat(table.touch("seldom but different", "/").refused()).isTrue();
  }

  @Test
  void touch_withTargetsOfATableThatCountsNone_ignoresThem() {
    HeavyHitters table = fixture.builder(100).build();

    table.touch("client", 2, List.of("/a", "/b"));

    assertThat(table.find("client").orElseThrow().distinct().estimate()).isZero();
  }

  @Test
  void touch_whenAllBlocksAreTaken_isAdmittedAndReported() {
    var events = new ArrayList<String>();
    HeavyHitters table =
        fixture.builder(100).maxBlocks(3).rule(FIVE_AT_ONCE).listener(recording(events)).build();

    for (int i = 0; i < 5; i++) {
      assertThat(passed(table, "client:" + i, 6)).isEqualTo(i < 3 ? 5 : 6);
    }

    assertThat(events)
        .containsExactly(
            "five BLOCKED client:0",
            "five BLOCKED client:1",
            "five BLOCKED client:2",
            "five FULL client:3",
            "five FULL client:4");
    assertThat(table.stats().blocks().refused()).isEqualTo(2);
  }

  @Test
  void touch_ofARuleInObserve_isAdmittedAndCountedAsEnforceDoes() {
    HeavyHitters observing = fixture.builder(100).rule(FIVE_AT_ONCE.mode(Mode.OBSERVE)).build();
    HeavyHitters off = fixture.builder(100).rule(FIVE_AT_ONCE.mode(Mode.OFF)).build();

    assertThat(passed(observing, "client", 20)).isEqualTo(20);
    assertThat(passed(off, "client", 20)).isEqualTo(20);

    assertThat(observing.touch("client").observed()).contains("five");
    assertThat(observing.check("client").refused()).isFalse();
    assertThat(observing.blocked()).isEmpty();
    assertThat(observing.stats().observedBlocks()).isEqualTo(1);
    assertThat(observing.stats().rules())
        .containsExactly(new RuleStats("five", Mode.OBSERVE, 0, 16));
    assertThat(off.touch("client").observed()).isEmpty();
    assertThat(off.stats().rules()).containsExactly(new RuleStats("five", Mode.OFF, 0, 0));
  }

  @Test
  void touch_ofATrustedKey_meetsNoRule() {
    HeavyHitters table =
        fixture
            .builder(100)
            .rule(FIVE_AT_ONCE)
            .rule(Rule.distinct("observes", 0).block(ofMinutes(1)).mode(Mode.OBSERVE))
            .distinct(DistinctSettings.DEFAULT)
            .trusted(
                key -> new String(key, java.nio.charset.StandardCharsets.UTF_8).startsWith("10."))
            .rule(Rule.rate("reports", perSecond(1)))
            .build();

    assertThat(passed(table, "10.0.0.1", 100)).isEqualTo(100);
    assertThat(passed(table, "11.0.0.1", 100)).isEqualTo(5);

    assertThat(table.find("10.0.0.1").orElseThrow().score()).isEqualTo(100);
  }

  @Test
  void callbacks_throw_neverReachTheCallerAndAreCounted() {
    HeavyHitters table =
        fixture
            .builder(1)
            .rule(FIVE_AT_ONCE)
            .trusted(
                key -> {
                  if (key.length == 1) {
                    throw new IllegalStateException("trusted");
                  }
                  return false;
                })
            .listener(
                new HeavyHittersListener() {
                  @Override
                  public void exceeded(RuleEvent event) {
                    throw new IllegalStateException("listener");
                  }

                  @Override
                  public void evicted(KeyScore key) {
                    throw new IllegalStateException("listener");
                  }
                })
            .build();

    assertThat(passed(table, "client", 6)).isEqualTo(5);
    assertThat(table.touch("k", 100, List.of()).refused()).isFalse();

    assertThat(table.check("client").refused()).isTrue();
    // One rule event, one eviction, one predicate.
    assertThat(table.stats().listenerFaults()).isEqualTo(3);
  }

  @Test
  void listener_ofEvictionsAndReports_receivesThem() {
    var events = new ArrayList<String>();
    HeavyHitters table =
        fixture
            .builder(1)
            .rule(Rule.rate("reports", perSecond(1)))
            .listener(recording(events))
            .build();

    table.touch("first");
    table.touch("first");
    table.touch("x".repeat(600), 100, List.of());

    assertThat(events)
        .containsExactly(
            "reports REPORTED first",
            "evicted first=0.200/s",
            "reports REPORTED " + "x".repeat(512) + "\\...(600 bytes)");
  }

  @Test
  void unblock_ofABlockedKey_forgetsItsCounts() {
    HeavyHitters table = fixture.builder(100).rule(FIVE_AT_ONCE).build();
    assertThat(passed(table, "client", 6)).isEqualTo(5);

    assertThat(table.unblock("client")).isTrue();

    assertThat(passed(table, "client", 6)).isEqualTo(5);
    assertThat(table.unblock("another")).isFalse();
    assertThat(table.stats().blocks().lifted()).isEqualTo(1);
  }

  @Test
  void remove_ofABlockedKey_keepsItsBlock() {
    HeavyHitters table = fixture.builder(100).rule(FIVE_AT_ONCE).build();
    assertThat(passed(table, "client", 6)).isEqualTo(5);

    assertThat(table.remove("client").orElseThrow().score()).isEqualTo(6);

    assertThat(table.find("client")).isEmpty();
    assertThat(table.remove(bytes("client"))).isEmpty();
    assertThat(table.touch("client").refused()).isTrue();
  }

  @Test
  void hashed_withTheFunctionOfTheTable_isTheSameTable() {
    HeavyHitters table =
        fixture.builder(100).distinct(DistinctSettings.DEFAULT).rule(FIVE_AT_ONCE).build();
    HashedHeavyHitters hashed = table.hashed(KeyHash.fast(ContestFixture.SECRET));
    long hash = table.keyHash().hash("client");

    hashed.touch(hash, "client", 3, List.of("/a", "/b"));
    Decision refused = hashed.touch(hash, bytes("client"), 3, List.of());

    assertThat(refused.refused()).isTrue();
    assertThat(hashed.check(hash, "client").refused()).isTrue();
    assertThat(hashed.check(hash, bytes("client")).refused()).isTrue();
    assertThat(table.check("client").refused()).isTrue();
    assertThat(table.find("client").orElseThrow().distinct().estimate()).isEqualTo(2);
  }

  @Test
  void hashed_byAnotherSecretOrFunction_throws() {
    HeavyHitters table = fixture.builder(100).build();

    assertThatThrownBy(() -> table.hashed(KeyHash.fast(HashSecret.of(new byte[16]))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("hash must be of the same function and secret");
    assertThatThrownBy(() -> table.hashed(KeyHash.sip13(ContestFixture.SECRET)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static int passed(HeavyHitters table, String key, int touches) {
    int passed = 0;
    for (int i = 0; i < touches; i++) {
      passed += table.touch(key).refused() ? 0 : 1;
    }
    return passed;
  }

  private static HeavyHittersListener recording(List<String> events) {
    return new HeavyHittersListener() {
      @Override
      public void exceeded(RuleEvent event) {
        assertThat(event.score().length()).isEqualTo(event.key().length);
        events.add(event.toString());
      }

      @Override
      public void evicted(KeyScore key) {
        events.add("evicted " + key);
      }
    };
  }
}
