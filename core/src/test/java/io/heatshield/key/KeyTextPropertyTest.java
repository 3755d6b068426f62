package io.heatshield.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

class KeyTextPropertyTest {

  @Property
  void of_anyBytes_hasOnlyPrintableCharacters(@ForAll @Size(max = 600) byte[] key) {
    String shown = KeyText.of(key);

    assertThat(shown.codePoints())
        .allMatch(c -> c == ' ' || (Character.isDefined(c) && !Character.isWhitespace(c)))
        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT);
  }

  @Property
  void of_twoShortKeys_isEqualIfTheKeysAreEqual(
      @ForAll @Size(max = 5) byte[] one, @ForAll @Size(max = 5) byte[] other) {
    boolean equal = KeyText.of(one).equals(KeyText.of(other));

    assertThat(equal).isEqualTo(Arrays.equals(one, other));
  }
}
