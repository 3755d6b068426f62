package io.heatshield.testkit.keys;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NastyKeysTest {

  @Test
  void all_namesAndBytes_areDifferent() {
    List<NastyKey> all = NastyKeys.all();

    assertThat(all).extracting(NastyKey::name).doesNotHaveDuplicates();
    assertThat(all).extracting(key -> new String(key.bytes(), ISO_8859_1)).doesNotHaveDuplicates();
  }

  @Test
  void all_requiredKinds_arePresent() {
    assertThat(NastyKeys.all())
        .extracting(key -> new String(key.bytes(), UTF_8))
        .anyMatch(text -> text.contains("\u001b["))
        .anyMatch(text -> text.contains("\r\n"))
        .anyMatch(text -> text.contains("\0"))
        .anyMatch(text -> text.contains("\u202e"))
        .anyMatch(text -> text.contains("<img src=x onerror=alert(1)>"))
        .anyMatch(text -> text.startsWith("\"\n# HELP"))
        .anyMatch(String::isEmpty)
        .anyMatch(text -> text.length() == 1 << 20);
  }

  @ParameterizedTest
  @MethodSource("io.heatshield.testkit.keys.NastyKeys#all")
  void name_everyKey_isSafeToShow(NastyKey key) {
    assertThatCode(() -> DisplayAssertions.assertSafeInHtml(key.name())).doesNotThrowAnyException();
    assertThat(key).hasToString(key.name());
    assertThat(key.name()).matches("[A-Za-z0-9 ]+");
  }

  @Test
  void bytes_changedByTheCaller_doNotChangeTheKey() {
    NastyKey key = NastyKeys.all().get(0);
    byte first = key.bytes()[0];

    key.bytes()[0] = (byte) ~first;

    assertThat(key.bytes()[0]).isEqualTo(first);
  }
}
