package io.heatshield.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class KeyTest {

  @Test
  void read_sequencesOfTerminals_areOneKeyEach() throws IOException {
    assertThat(read("\u001b[A")).isEqualTo(Key.UP);
    assertThat(read("\u001bOB")).isEqualTo(Key.DOWN);
    assertThat(read("\u001b[5~")).isEqualTo(Key.PAGE_UP);
    assertThat(read("\u001b[6~")).isEqualTo(Key.PAGE_DOWN);
    assertThat(read("\u001b[H")).isEqualTo(Key.HOME);
    assertThat(read("\u001b[4~")).isEqualTo(Key.END);
    assertThat(read("\u001b[1;5C")).isEqualTo(Key.OTHER);
  }

  @Test
  void read_otherBytes_areThemselves() throws IOException {
    assertThat(read("q")).isEqualTo('q');
    assertThat(read("\u001b")).isEqualTo(Key.ESCAPE);
    assertThat(read("")).isEqualTo(Key.NONE);
  }

  @Test
  void read_sequenceWithoutEnd_takesABoundedPart() throws IOException {
    assertThat(read("\u001b[" + "0".repeat(100))).isEqualTo(Key.OTHER);
  }

  private static int read(String sent) throws IOException {
    return Key.read(new ByteArrayInputStream(sent.getBytes(StandardCharsets.UTF_8)));
  }
}
