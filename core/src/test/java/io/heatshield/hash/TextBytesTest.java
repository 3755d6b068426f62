package io.heatshield.hash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class TextBytesTest {

  @Test
  void isOpen_inTheTestsOwnJvm_isTrue() {
    assertThat(TextBytes.isOpen()).isTrue();
    assertThat(TextBytes.of("user:1")).isEqualTo("user:1".getBytes(UTF_8));
  }

  @Test
  void of_textWithAWideCharacter_isNull() {
    assertThat(TextBytes.of("user:\u20ac")).isNull();
  }

  @Property
  void isAscii_anyText_isWhatTheUtf8Says(
      @ForAll @StringLength(max = 40) @CharRange(from = 'p', to = '\u0090') String text,
      @ForAll @StringLength(max = 40) @CharRange(from = 'p', to = '\u0090') String other) {
    byte[] utf8 = text.getBytes(UTF_8);
    boolean ascii = utf8.length == text.length();

    assertThat(TextBytes.isAscii(text, utf8)).isEqualTo(ascii);
    assertThat(TextBytes.isAsciiByChar(text, utf8)).isEqualTo(ascii);
    assertThat(TextBytes.isAscii(other, utf8)).isEqualTo(ascii && other.equals(text));
    assertThat(TextBytes.isAsciiByChar(other, utf8)).isEqualTo(ascii && other.equals(text));
  }

  @Test
  void isAscii_latinBytesOfALatinText_isFalse() {
    byte[] latin = {'u', (byte) 0xe9};

    assertThat(TextBytes.isAscii("u\u00e9", latin)).isFalse();
    assertThat(TextBytes.isAsciiByChar("u\u00e9", latin)).isFalse();
  }

  @Property
  void isAscii_oneHighByte_isSeenWhereverItIs(@ForAll @StringLength(max = 40) String around) {
    byte[] bytes = new byte[around.length() + 1];
    assertThat(TextBytes.isAscii(bytes)).isTrue();

    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) 0x80;
      assertThat(TextBytes.isAscii(bytes)).as("at %d of %d", i, bytes.length).isFalse();
      bytes[i] = 0;
    }
  }
}
