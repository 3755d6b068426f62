package io.heatshield.resp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;

/** Any bytes are commands within the limits, or those and one fault, however they are cut. */
class CommandParserFuzzTest {
  private static final RespLimits LIMITS = new RespLimits(16, 64, 128);

  @FuzzTest
  void read_anyBytes_isCommandsOrAFault(byte[] bytes) {
    List<String> whole = Wire.commands(LIMITS, bytes);

    assertThat(Wire.commands(LIMITS, Wire.pieces(bytes, 1))).isEqualTo(whole);
    assertThat(whole).allMatch(command -> command.length() <= 16 * 65 + 128);
    assertThat(whole.stream().filter(command -> command.startsWith("fault: ")).count())
        .isLessThanOrEqualTo(1);
  }
}
