package io.heatshield.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** A number is the key of its decimal digits. */
class KeyFormPropertyTest {
  private static final KeyHash SECOND = KeyHash.sip13(HashSecret.random());

  @Property
  void store_number_isItsDigits(@ForAll long number) {
    byte[] digits = Long.toString(number).getBytes(UTF_8);

    assertThat(KeyForm.NUMBER.store(number, SECOND)).isEqualTo(digits);
    assertThat(KeyForm.NUMBER.storedLength(number)).isEqualTo(digits.length);
  }

  @Property
  void matches_number_onlyItsOwnDigits(@ForAll long number, @ForAll long other) {
    byte[] digits = Long.toString(other).getBytes(UTF_8);

    assertThat(KeyForm.NUMBER.matches(digits, number, SECOND)).isEqualTo(number == other);
    assertThat(KeyForm.NUMBER.matches(digits, other, SECOND)).isTrue();
  }
}
