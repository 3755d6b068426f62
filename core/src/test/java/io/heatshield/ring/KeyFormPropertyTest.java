package io.heatshield.ring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Admission;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyForm;
import java.nio.ByteBuffer;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** A text is the same key in every form, for all characters and lengths. */
class KeyFormPropertyTest {

  @Property(tries = 1000)
  void touch_oneTextInEveryForm_countsOneKey(
      @ForAll("texts") String text, @ForAll byte scope, @ForAll @IntRange(max = 9) int offset) {
    HotRing ring = HotRing.builder().build();
    KeyCounts keys = ring.scope(scope);
    byte[] bytes = text.getBytes(UTF_8);
    ByteBuffer heap = bufferOf(ByteBuffer.allocate(bytes.length + 20), offset, bytes);
    ByteBuffer direct = bufferOf(ByteBuffer.allocateDirect(bytes.length + 20), offset, bytes);

    keys.touch(text);
    keys.touch(bytes);
    keys.touch(heap);
    keys.touch(direct);
    keys.touch(heap.slice());
    keys.touch(direct.slice());
    keys.touch(heap.asReadOnlyBuffer());
    var unused = keys.tryTouch(text, 9);
    Admission last = keys.tryTouch(direct, 9);

    assertThat(last).hasToString("9 of 9, admitted");
    assertThat(keys.tryTouch(bytes, 9).admitted()).isFalse();
    assertThat(ring.stats().size()).isEqualTo(1);
    assertThat(keys.count(direct.slice())).isEqualTo(9);
    assertThat(ring.scope((byte) (scope + 1)).count(text)).isZero();
    assertThat(heap.position()).isEqualTo(offset);
    assertThat(direct.remaining()).isEqualTo(bytes.length);
    assertThat(keys.remove(heap.slice())).isEqualTo(9);
    assertThat(keys.count(text)).isZero();
  }

  @Property(tries = 1000)
  void count_otherTextInEveryForm_isThatOfAnotherKey(
      @ForAll("texts") String text, @ForAll("texts") String other) {
    KeyCounts keys = HotRing.builder().build();
    byte[] bytes = other.getBytes(UTF_8);
    keys.touch(text);
    boolean same = Arrays.equals(text.getBytes(UTF_8), bytes);

    long asText = keys.count(other);
    long asBytes = keys.count(bytes);
    long asDirect = keys.count(bufferOf(ByteBuffer.allocateDirect(bytes.length), 0, bytes));

    assertThat(asText).isEqualTo(same ? 1 : 0);
    assertThat(asBytes).isEqualTo(same ? 1 : 0);
    assertThat(asDirect).isEqualTo(same ? 1 : 0);
  }

  @Property(tries = 1000)
  void matches_twoTexts_comparesTheirBytes(
      @ForAll("texts") String text, @ForAll("texts") String other) {
    var second = KeyHash.sip13(HashSecret.of(new byte[32]));
    byte[] bytes = other.getBytes(UTF_8);
    ByteBuffer direct = bufferOf(ByteBuffer.allocateDirect(bytes.length + 3), 3, bytes);
    boolean same = Arrays.equals(text.getBytes(UTF_8), bytes);

    byte[] stored = KeyForm.TEXT.store(text, second);

    assertThat(stored).isEqualTo(KeyForm.BYTES.store(text.getBytes(UTF_8), second));
    assertThat(KeyForm.TEXT.storedLength(text)).isEqualTo(stored.length);
    assertThat(KeyForm.TEXT.matches(stored, text, second)).isTrue();
    assertThat(KeyForm.TEXT.matches(stored, other, second)).isEqualTo(same);
    assertThat(KeyForm.BYTES.matches(stored, bytes, second)).isEqualTo(same);
    assertThat(KeyForm.BUFFER.matches(stored, direct, second)).isEqualTo(same);
    assertThat(KeyForm.BUFFER.matches(stored, ByteBuffer.wrap(bytes), second)).isEqualTo(same);
  }

  /** Texts of all characters and unpaired surrogates; some are stored as a prefix. */
  @Provide
  Arbitrary<String> texts() {
    Arbitrary<Character> any = Arbitraries.chars().all();
    Arbitrary<Character> surrogate = Arbitraries.chars().range('\ud7f0', '\ue010');
    Arbitrary<String> similar = Arbitraries.strings().withChars("aé鍵?\ud83d\udd11").ofMaxLength(4);
    Arbitrary<String> texts =
        Arbitraries.oneOf(
            similar,
            Arbitraries.strings().ascii().ofMaxLength(40),
            Arbitraries.strings().all().ofMaxLength(40),
            surrogate.list().ofMaxSize(20).map(KeyFormPropertyTest::join),
            any.list().ofMaxSize(20).map(KeyFormPropertyTest::join));
    Arbitrary<String> longer =
        similar.flatMap(
            end -> Arbitraries.integers().between(500, 516).map(n -> "x".repeat(n) + end));
    return Arbitraries.oneOf(texts, longer);
  }

  private static String join(Iterable<Character> chars) {
    var text = new StringBuilder();
    chars.forEach(text::append);
    return text.toString();
  }

  private static ByteBuffer bufferOf(ByteBuffer buffer, int offset, byte[] bytes) {
    return buffer.position(offset).put(bytes).limit(offset + bytes.length).position(offset);
  }
}
