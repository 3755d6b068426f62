package io.heatshield.hash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Both hash functions give the same hash for the same key in every form. */
class KeyHashPropertyTest {
  private static final HashSecret SECRET = HashSecret.of(new byte[32]);
  private static final List<KeyHash> BOTH = List.of(KeyHash.fast(SECRET), KeyHash.sip13(SECRET));

  @Property
  void hash_partOfAnArray_isThatOfACopy(
      @ForAll @Size(max = 150) byte[] key,
      @ForAll @IntRange(max = 9) int before,
      @ForAll @IntRange(max = 9) int after) {
    byte[] array = new byte[before + key.length + after];
    Arrays.fill(array, (byte) 0xee);
    System.arraycopy(key, 0, array, before, key.length);

    for (KeyHash hash : BOTH) {
      assertThat(hash.hash(array, before, key.length)).isEqualTo(hash.hash(key));
    }
  }

  @Property
  void hash_number_isThatOfItsDigits(@ForAll long number) {
    for (KeyHash hash : BOTH) {
      assertThat(hash.hash(number)).isEqualTo(hash.hash(Long.toString(number)));
    }
  }

  @Property
  void hash_anyBuffer_isThatOfItsBytesAndKeepsTheBuffer(
      @ForAll @Size(max = 150) byte[] key,
      @ForAll @IntRange(max = 9) int before,
      @ForAll boolean bigEndian) {
    ByteOrder order = bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    ByteBuffer heap = bufferOf(ByteBuffer.allocate(before + key.length + 5), before, key, order);
    ByteBuffer direct =
        bufferOf(ByteBuffer.allocateDirect(before + key.length + 5), before, key, order);

    for (KeyHash hash : BOTH) {
      for (ByteBuffer buffer : List.of(heap, direct, heap.asReadOnlyBuffer(), heap.slice())) {
        int position = buffer.position();

        assertThat(hash.hash(buffer)).isEqualTo(hash.hash(key));
        assertThat(buffer.position()).isEqualTo(position);
        assertThat(buffer.remaining()).isEqualTo(key.length);
      }
    }
  }

  @Property
  void hash_anyText_isThatOfItsUtf8(@ForAll("texts") String text) {
    byte[] bytes = text.getBytes(UTF_8);

    for (KeyHash hash : BOTH) {
      assertThat(hash.hash(text)).isEqualTo(hash.hash(bytes));
      assertThat(hash.hash(CharBuffer.wrap(text))).isEqualTo(hash.hash(bytes));
    }
  }

  @Property
  void hash_twoKeys_isEqualIfTheKeysAreEqual(
      @ForAll @Size(max = 40) byte[] one, @ForAll @Size(max = 40) byte[] other) {
    for (KeyHash hash : BOTH) {
      assertThat(hash.hash(one) == hash.hash(other)).isEqualTo(Arrays.equals(one, other));
    }
  }

  /** Texts of ASCII, of all {@code char}s including unpaired surrogates, and of both. */
  @Provide
  Arbitrary<String> texts() {
    Arbitrary<Character> ascii = Arbitraries.chars().ascii();
    Arbitrary<Character> any = Arbitraries.chars().range(Character.MIN_VALUE, Character.MAX_VALUE);
    Arbitrary<Character> surrogate = Arbitraries.chars().range('\ud7fe', '\ue001');
    return Arbitraries.oneOf(
        Arbitraries.strings().withChars(new char[] {'a', 'Z', '0', ':'}).ofMaxLength(80),
        ascii.list().ofMaxSize(80).map(KeyHashPropertyTest::join),
        any.list().ofMaxSize(40).map(KeyHashPropertyTest::join),
        Arbitraries.frequencyOf(Tuple.of(6, ascii), Tuple.of(1, any), Tuple.of(2, surrogate))
            .list()
            .ofMaxSize(60)
            .map(KeyHashPropertyTest::join));
  }

  private static String join(List<Character> characters) {
    var text = new StringBuilder();
    characters.forEach(text::append);
    return text.toString();
  }

  private static ByteBuffer bufferOf(ByteBuffer buffer, int before, byte[] key, ByteOrder order) {
    buffer.position(before).put(key).limit(before + key.length).position(before);
    return buffer.order(order);
  }
}
