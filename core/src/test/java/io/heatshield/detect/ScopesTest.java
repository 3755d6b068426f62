package io.heatshield.detect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ScopesTest {
  private static final byte[] KEY = "k".getBytes(UTF_8);

  private final Scopes scopes =
      new Scopes(2, scope -> new HotKeyDetector(DetectorFixture.settings().build()));

  @Test
  void touch_twoScopes_shareNoCount() {
    scopes.touch("a", KEY, 99);

    Verdict other = scopes.touch("b", KEY, 99);

    assertThat(other).isSameAs(Verdict.COOL);
    assertThat(scopes.touch("a", KEY).isHot()).isTrue();
  }

  @Test
  void touch_scopeWithoutRoom_isCoolAndCounted() {
    scopes.touch("a", KEY);
    scopes.touch("b", KEY);

    Verdict verdict = scopes.touch("c", KEY, 1_000);

    assertThat(verdict).isSameAs(Verdict.COOL);
    assertThat(scopes.dropped()).isEqualTo(1);
    assertThat(scopes.all().keySet()).containsExactly("a", "b");
    assertThat(scopes.find("c")).isEmpty();
  }

  @Test
  void register_roomAndNewName_returnsTrue() {
    var detector = new HotKeyDetector(DetectorFixture.settings().threshold(1).build());

    assertThat(scopes.register("a", detector)).isTrue();
    assertThat(scopes.register("a", detector)).isFalse();
    assertThat(scopes.register("b", detector)).isTrue();
    assertThat(scopes.register("c", detector)).isFalse();
    assertThat(scopes.touch("a", KEY, 10).isHot()).isTrue();
    assertThat(scopes.find("a")).containsSame(detector);
  }

  @Test
  void new_maxScopesZero_throws() {
    assertThatThrownBy(
            () -> new Scopes(0, scope -> new HotKeyDetector(DetectorSettings.defaults())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxScopes must be at least 1: 0");
  }
}
