package io.heatshield.detect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.settings.InvalidSettingsException;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class ScopesTest {
  private final Scopes scopes =
      Scopes.builder().maxScopes(2).detectors(scope -> DetectorFixture.settings().build()).build();

  @Test
  void open_twoScopes_shareNoCount() {
    HotKeyDetector a = scopes.open("a").orElseThrow();
    HotKeyDetector b = scopes.open("b").orElseThrow();
    a.touch("k", 99);

    Verdict other = b.touch("k", 99);

    assertThat(other).isSameAs(Verdict.COOL);
    assertThat(a.touch("k").isHot()).isTrue();
    assertThat(scopes.open("a")).containsSame(a);
    assertThat(scopes.refused()).isZero();
  }

  @Test
  void open_scopeWithoutRoom_isEmptyAndCounted() {
    scopes.open("a");
    scopes.open("b");

    assertThat(scopes.open("c")).isEmpty();

    assertThat(scopes.refused()).isEqualTo(1);
    assertThat(scopes.all().keySet()).containsExactly("a", "b");
    assertThat(scopes.find("a")).isPresent();
    assertThat(scopes.find("c")).isEmpty();
  }

  @Test
  void close_detectorsWithUpkeep_endsAll() {
    var ended = new ArrayList<Duration>();
    Scopes maintained =
        Scopes.builder()
            .detectors(
                scope ->
                    DetectorFixture.settings()
                        .maintainOn((interval, task) -> () -> ended.add(interval))
                        .build())
            .build();
    maintained.open("a");
    maintained.open("b");

    maintained.close();

    assertThat(ended).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(1));
  }

  @Test
  void build_maxScopesZero_throws() {
    assertThatThrownBy(() -> Scopes.builder().maxScopes(0).build())
        .isInstanceOf(InvalidSettingsException.class)
        .hasMessage("maxScopes must be at least 1: 0");
  }
}
