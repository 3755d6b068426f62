package io.heatshield.detect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AuditTest {
  private final DetectorFixture world = new DetectorFixture();

  @Test
  void isSampled_manyKeys_selectsAboutOneIn4096() {
    int keys = 1 << 20;

    long sampled = sample(keys).size();

    assertThat(sampled).isBetween(170L, 350L);
  }

  @Test
  void report_uncrowdedSketch_hasNoError() {
    List<String> keys = sample(50_000).subList(0, 10);
    keys.forEach(key -> world.touch(key, 5));

    AuditReport report = world.detector.audit();

    assertThat(report.keys()).isEqualTo(10);
    assertThat(report.maxError()).isZero();
    assertThat(report.meanError()).isZero();
    assertThat(report.recall()).isEqualTo(1);
    assertThat(report.due()).isZero();
  }

  @Test
  void report_crowdedSketch_coversTheErrorOfEachSampledKey() {
    List<String> keys = sample(50_000).subList(0, 10);
    keys.forEach(key -> world.touch(key, 5));
    for (int i = 0; i < 40_000; i++) {
      world.touch("junk" + i, 1);
    }

    AuditReport report = world.detector.audit();

    long worst =
        keys.stream()
            .mapToLong(key -> world.detector.estimate(key).touches() - 5)
            .max()
            .orElseThrow();
    assertThat(report.keys()).isGreaterThanOrEqualTo(10);
    assertThat(report.maxError()).isPositive().isGreaterThanOrEqualTo(worst);
    assertThat(report.meanError()).isPositive();
    assertThat(world.detector.stats().floorRate())
        .isCloseTo(report.maxError() / 10.0, within(1e-9));
  }

  @Test
  void report_sampledKeysTurnedHot_countsAllAsFound() {
    List<String> keys = sample(50_000).subList(0, 8);

    keys.forEach(key -> world.touch(key, 120));

    AuditReport report = world.detector.audit();
    assertThat(report.due()).isEqualTo(8);
    assertThat(report.found()).isEqualTo(8);
    assertThat(report.recall()).isEqualTo(1);
  }

  @Test
  void check_coolVerdictsAtTheThreshold_countsAMiss() {
    var stripes = new DetectorStripes(DetectorFixture.settings().toSettings(), Audit.CAPACITY);
    var audit = new Audit(stripes, 0);
    Pane pane = Pane.first(DetectorFixture.settings().toSettings(), 0);
    Audit.AuditedKey followed = follow(audit, 7, pane);
    WindowedStripe stripe = stripes.enter();
    stripe.add(7, 100, 0);
    stripe.addExact(followed.number, 100, 100, 0);
    stripe.unlock();

    audit.check(followed, pane, Verdict.COOL);
    assertThat(audit.report(pane).due()).isZero();
    audit.check(followed, pane, Verdict.COOL);

    assertThat(audit.report(pane).due()).isEqualTo(1);
    assertThat(audit.report(pane).recall()).isZero();
  }

  @Test
  void follow_moreKeysThanCapacity_refusesUntilTheWindowIsOver() {
    List<String> keys = sample(1 << 19);
    List<String> some = keys.subList(0, Audit.CAPACITY + 5);

    some.forEach(key -> world.touch(key, 1));

    assertThat(world.detector.audit().keys()).isEqualTo(Audit.CAPACITY);
    assertThat(world.detector.audit().refused()).isEqualTo(5);
    world.passSeconds(13);
    world.touch(keys.get(Audit.CAPACITY), 1);
    assertThat(world.detector.audit().keys()).isEqualTo(1);
  }

  private static Audit.AuditedKey follow(Audit audit, long hash, Pane pane) {
    audit.follow(hash, pane, 0);
    Audit.AuditedKey followed = audit.find(hash);
    assertThat(followed).isNotNull();
    return followed;
  }

  private List<String> sample(int keys) {
    return IntStream.range(0, keys)
        .mapToObj(i -> "key:" + i)
        .filter(key -> Audit.isSampled(world.hash.hash(key)))
        .toList();
  }
}
