package io.heatshield.hash;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares SipHash with the vectors of its authors (2-4) and of Rust's library (1-3). */
class SipHashTest {
  /** The hashes of the messages 00, 01, 02 and so on, of 0 to 63 bytes, with the key 00 to 0f. */
  private static final String REFERENCE_2_4 =
      """
      726fdb47dd0e0e31 74f839c593dc67fd 0d6c8009d9a94f5a 85676696d7fb7e2d
      cf2794e0277187b7 18765564cd99a68d cbc9466e58fee3ce ab0200f58b01d137
      93f5f5799a932462 9e0082df0ba9e4b0 7a5dbbc594ddb9f3 f4b32f46226bada7
      751e8fbc860ee5fb 14ea5627c0843d90 f723ca908e7af2ee a129ca6149be45e5
      3f2acc7f57c29bdb 699ae9f52cbe4794 4bc1b3f0968dd39c bb6dc91da77961bd
      bed65cf21aa2ee98 d0f2cbb02e3b67c7 93536795e3a33e88 a80c038ccd5ccec8
      b8ad50c6f649af94 bce192de8a85b8ea 17d835b85bbb15f3 2f2e6163076bcfad
      de4daaaca71dc9a5 a6a2506687956571 ad87a3535c49ef28 32d892fad841c342
      7127512f72f27cce a7f32346f95978e3 12e0b01abb051238 15e034d40fa197ae
      314dffbe0815a3b4 027990f029623981 cadcd4e59ef40c4d 9abfd8766a33735c
      0e3ea96b5304a7d0 ad0c42d6fc585992 187306c89bc215a9 d4a60abcf3792b95
      f935451de4f21df2 a9538f0419755787 db9acddff56ca510 d06c98cd5c0975eb
      e612a3cb9ecba951 c766e62cfcadaf96 ee64435a9752fe72 a192d576b245165a
      0a8787bf8ecb74b2 81b3e73d20b49b6f 7fa8220ba3b2ecea 245731c13ca42499
      b78dbfaf3a8d83bd ea1ad565322a1a0b 60e61c23a3795013 6606d7e446282b93
      6ca4ecb15c5f91e1 9f626da15c9625f3 e51b38608ef25f57 958a324ceb064572
      """;

  private static final String REFERENCE_1_3 =
      """
      abac0158050fc4dc c9f49bf37d57ca93 82cb9b024dc7d44d 8bf80ab8e7ddf7fb
      cf75576088d38328 def9d52f49533b67 c50d2b50c59f22a7 d3927d989bb11140
      369095118d299a8e 25a48eb36c063de4 79de85ee92ff097f 70c118c1f94dc352
      78a384b157b4d9a2 306f760c1229ffa7 605aa111c0f95d34 d320d86d2a519956
      cc4fdd1a7d908b66 9cf2689063dbd80c 8ffc389cb473e63e f21f9de58d297d1c
      c0dc2f46a6cce040 b992abfe2b45f844 7ffe7b9ba320872e 525a0e7fdae6c123
      f464aeb267349c8c 45cd5928705b0979 3a3e35e3ca9913a5 a91dc74e4ade3b35
      fb0bed02ef6cd00d 88d93cb44ab1e1f4 540f11d643c5e663 2370dd1f8c21d1bc
      81157b6c16a7b60d 4d54b9e57a8ff9bf 759f12781f2a753e cea1a3bebf186b91
      2cf508d3ada26206 b6101c2da3c33057 b3f47496ae3a36a1 626b57547b108392
      c1d2363299e41531 667cc1923f1ad944 65704ffec8138825 24f280d1c28949a6
      c2ca1cedfaf8876b c2164bfc9f042196 a16e9c9368b1d623 49fb169c8b5114fd
      9f3143f8df074c46 c6fdaf2412cc86b3 7eaf49d10a52098f 1cf313559d292f9a
      c44a30dda2f41f12 36fae98943a71ed0 318fb34c73f0bce6 a27abf3670a7e980
      b4bcc0db243c6d75 23f8d852fdb71513 8f035f4da67d8a08 d89cd0e5b7e8f148
      f6f4e6bcf7a644ee aec59ad80f1837f2 c3b2f6154b6694e0 9d199062b7bbb3a8
      """;

  private static final HashSecret KEY = HashSecret.of(consecutiveBytes(16));

  @Test
  void hash_twoAndFourRounds_isTheReferenceVector() {
    var sip24 = new SipHash(KEY, 2, 4);

    long[] hashes =
        IntStream.range(0, 64).mapToLong(n -> sip24.hash(consecutiveBytes(n))).toArray();

    assertThat(hashes).containsExactly(parse(REFERENCE_2_4));
  }

  @Test
  void hash_oneAndThreeRounds_isTheReferenceVector() {
    KeyHash sip13 = KeyHash.sip13(KEY);

    long[] arrays =
        IntStream.range(0, 64).mapToLong(n -> sip13.hash(consecutiveBytes(n))).toArray();
    long[] buffers =
        IntStream.range(0, 64)
            .mapToLong(
                n -> sip13.hash(ByteBuffer.allocateDirect(n).put(consecutiveBytes(n)).flip()))
            .toArray();
    long[] texts =
        IntStream.range(0, 64)
            .mapToLong(n -> sip13.hash(new String(consecutiveBytes(n), US_ASCII)))
            .toArray();

    assertThat(arrays).containsExactly(parse(REFERENCE_1_3));
    assertThat(buffers).containsExactly(arrays);
    assertThat(texts).containsExactly(arrays);
  }

  @Test
  void hash_secretOf32Bytes_dependsOnBothHalves() {
    byte[] secret = consecutiveBytes(32);
    byte[] otherStart = secret.clone();
    otherStart[0] ^= 1;
    byte[] otherEnd = secret.clone();
    otherEnd[31] ^= 1;

    long[] hashes =
        IntStream.range(0, 3)
            .mapToLong(
                i ->
                    KeyHash.sip13(HashSecret.of(i == 0 ? secret : i == 1 ? otherStart : otherEnd))
                        .hash("key"))
            .toArray();

    assertThat(hashes).doesNotHaveDuplicates();
  }

  private static byte[] consecutiveBytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }

  private static long[] parse(String vectors) {
    return Arrays.stream(vectors.strip().split("\\s+"))
        .mapToLong(hex -> Long.parseUnsignedLong(hex, 16))
        .toArray();
  }
}
