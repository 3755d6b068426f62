package io.heatshield.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HashSecretTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 15, 17, 31, 33, 64})
  void of_wrongLength_throws(int length) {
    assertThatThrownBy(() -> HashSecret.of(new byte[length]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("secret must be 16 or 32 bytes: %d bytes", length);
  }

  @Test
  void of_bytesOfARandomSecret_givesTheSameFunctions() {
    HashSecret secret = HashSecret.random();

    HashSecret restored = HashSecret.of(secret.toBytes());

    assertThat(KeyHash.fast(restored).hash("key")).isEqualTo(KeyHash.fast(secret).hash("key"));
    assertThat(KeyHash.sip13(restored).hash("key")).isEqualTo(KeyHash.sip13(secret).hash("key"));
  }

  @Test
  void random_twice_givesDifferentFunctions() {
    KeyHash one = KeyHash.fast(HashSecret.random());
    KeyHash other = KeyHash.fast(HashSecret.random());

    assertThat(one.hash("key")).isNotEqualTo(other.hash("key"));
  }

  @Test
  void of_arrayChangedLater_keepsTheOriginalBytes() {
    byte[] bytes = new byte[16];
    HashSecret secret = HashSecret.of(bytes);
    long before = KeyHash.sip13(secret).hash("key");

    bytes[0] = 1;
    secret.toBytes()[1] = 1;

    assertThat(KeyHash.sip13(secret).hash("key")).isEqualTo(before);
  }

  @Test
  void toString_anySecret_hidesIt() {
    assertThat(HashSecret.random()).hasToString("HashSecret[hidden]");
  }

  @Test
  void fingerprint_otherSecretOrFunction_differs() {
    byte[] changed = new byte[32];
    changed[31] = 1;
    HashSecret one = HashSecret.of(new byte[32]);
    HashSecret other = HashSecret.of(changed);

    LongStream fingerprints =
        LongStream.of(
            KeyHash.fast(one).fingerprint(),
            KeyHash.fast(other).fingerprint(),
            KeyHash.sip13(one).fingerprint(),
            KeyHash.sip13(other).fingerprint(),
            new SipHash(one, 2, 4).fingerprint());

    assertThat(fingerprints).doesNotHaveDuplicates();
  }
}
