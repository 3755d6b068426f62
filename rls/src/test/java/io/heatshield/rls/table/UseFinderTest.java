package io.heatshield.rls.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.limit.Descriptor;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.memory.MemoryCounters;
import io.heatshield.limit.rule.RuleLimiter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which parts of a request each table counts, and the answer to a refused request. */
class UseFinderTest {
  private static final String YAML =
      """
      tables:
        - name: clients
          key: remote_address
          cardinality: { of: path, leak: 0/s }
          rules: [{ name: flood, when: { rate_above: 1/h, burst: 5 }, block_for: 90s, mode: enforce }]
        - name: users
          key: user
          rules: [{ name: many, when: { rate_above: 1/h, burst: 3 }, mode: enforce }]
      """;

  private final RuleLimiter limiter = RuleLimiter.over(new MemoryCounters(10, () -> 0)).build();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void uses_ofAKeyInSeveralDescriptors_areOneWithTheLargestWeight() {
    try (var fixture = new TablesFixture(folder, YAML)) {
      LimitRequest request =
          request(
              7,
              Descriptor.of(address("a")),
              new Descriptor(List.of(address("a")), null, OptionalLong.of(9)),
              Descriptor.of(entry("path", "/x"), address("b"), address("c")));

      List<ClientUse> uses = UseFinder.uses(fixture.tables.all(), request);

      assertThat(uses).extracting(use -> use.key + use.weight).containsExactly("a9", "b7");
      assertThat(uses.get(0).descriptors).containsExactly(0, 1);
      assertThat(uses.get(0).targets).isEmpty();
      assertThat(uses.get(1).targets).containsExactly("/x");
    }
  }

  @Test
  void uses_ofOneKey_haveTheTargetsOfTheWholeRequest() {
    try (var fixture = new TablesFixture(folder, YAML)) {
      LimitRequest request =
          request(
              0, Descriptor.of(address("a")), Descriptor.of(entry("x", "y"), entry("path", "/p")));

      List<ClientUse> uses = UseFinder.uses(fixture.tables.all(), request);

      assertThat(uses)
          .singleElement()
          .satisfies(use -> assertThat(use.targets).containsExactly("/p"));
      assertThat(uses.get(0).weight).isEqualTo(1);
      assertThat(UseFinder.uses(fixture.tables.all(), request(1, Descriptor.of(entry("x", "y")))))
          .isEmpty();
    }
  }

  @Test
  void refusal_ofABlockedKey_isOverLimitAtItsDescriptorWithTheRemainingTime() {
    try (var fixture = new TablesFixture(folder, YAML)) {
      LimitRequest request =
          request(6, Descriptor.of(entry("x", "y")), Descriptor.of(address("a")));

      LimitAnswer answer = Objects.requireNonNull(fixture.tables.refusal(request, limiter));

      assertThat(answer.overLimit()).isTrue();
      assertThat(answer.statuses().get(0).overLimit()).isFalse();
      assertThat(answer.statuses().get(1).overLimit()).isTrue();
      assertThat(answer.statuses().get(1).resetSeconds()).isEqualTo(90);
    }
  }

  @Test
  void refusal_byOneTable_chargesNothingInTheOthers() {
    try (var fixture = new TablesFixture(folder, YAML)) {
      assertThat(fixture.tables.refusal(request(6, Descriptor.of(address("a"))), limiter))
          .isNotNull();
      LimitRequest both =
          request(1, Descriptor.of(entry("user", "u")), Descriptor.of(address("a")));

      for (int i = 0; i < 100; i++) {
        assertThat(fixture.tables.refusal(both, limiter)).isNotNull();
      }

      assertThat(fixture.tables.find("users").orElseThrow().clients().stats().keys().touches())
          .isZero();
      assertThat(fixture.tables.refusal(request(3, Descriptor.of(entry("user", "u"))), limiter))
          .isNull();
    }
  }

  @Test
  void refusal_ofARequestWithZeroHits_isOnlyByBlocks() {
    try (var fixture = new TablesFixture(folder, YAML)) {
      var look = new Descriptor(List.of(address("a")), null, OptionalLong.of(0));

      for (int i = 0; i < 100; i++) {
        assertThat(fixture.tables.refusal(request(1, look), limiter)).isNull();
      }
      assertThat(fixture.tables.refusal(request(6, Descriptor.of(address("a"))), limiter))
          .isNotNull();

      assertThat(fixture.tables.refusal(request(1, look), limiter)).isNotNull();
    }
  }

  @Test
  void refusal_ofTheLargestRequests_isBounded() {
    try (var fixture = new TablesFixture(folder, YAML)) {
      var descriptors = new ArrayList<Descriptor>();
      for (int i = 0; i < LimitRequest.MAX_DESCRIPTORS; i++) {
        var entries = new ArrayList<>(Collections.nCopies(98, entry("path", "/" + i)));
        entries.add(address("client:" + i));
        entries.add(address("second:" + i));
        descriptors.add(new Descriptor(entries, null, OptionalLong.of(Long.MAX_VALUE)));
      }

      LimitAnswer answer =
          fixture.tables.refusal(new LimitRequest("d", descriptors, 4294967295L), limiter);

      assertThat(answer).isNotNull();
      assertThat(fixture.tables.all().get(0).clients().stats().blocks().size()).isEqualTo(1_000);
      assertThat(fixture.tables.all().get(0).clients().stats().keys().size()).isEqualTo(1_000);
    }
  }

  private static LimitRequest request(long hits, Descriptor... descriptors) {
    return new LimitRequest("shop", List.of(descriptors), hits);
  }

  private static DescriptorEntry address(String value) {
    return entry("remote_address", value);
  }

  private static DescriptorEntry entry(String key, String value) {
    return new DescriptorEntry(key, value);
  }
}
