package io.heatshield.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TerminalKeyTest {

  @Test
  void read_sequencesOfTerminals_areOneKeyEach() throws IOException {
    assertThat(read("\u001b[A")).isEqualTo(TerminalKey.UP);
    assertThat(read("\u001bOB")).isEqualTo(TerminalKey.DOWN);
    assertThat(read("\u001b[5~")).isEqualTo(TerminalKey.PAGE_UP);
    assertThat(read("\u001b[6~")).isEqualTo(TerminalKey.PAGE_DOWN);
    assertThat(read("\u001b[H")).isEqualTo(TerminalKey.HOME);
    assertThat(read("\u001b[4~")).isEqualTo(TerminalKey.END);
    assertThat(read("\u001b[1;5C")).isEqualTo(TerminalKey.OTHER);
  }

  @Test
  void read_otherBytes_areThemselves() throws IOException {
    assertThat(read("q")).isEqualTo('q');
    assertThat(read("\u001b")).isEqualTo(TerminalKey.ESCAPE);
    assertThat(read("")).isEqualTo(TerminalKey.NONE);
  }

  @Test
  void read_sequenceWithoutEnd_takesABoundedPart() throws IOException {
    assertThat(read("\u001b[" + "0".repeat(100))).isEqualTo(TerminalKey.OTHER);
  }

  private static int read(String sent) throws IOException {
    return TerminalKey.read(new ByteArrayInputStream(sent.getBytes(StandardCharsets.UTF_8)));
  }
}
