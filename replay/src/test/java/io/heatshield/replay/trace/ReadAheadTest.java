package io.heatshield.replay.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ReadAheadTest {

  @Test
  void read_ofASource_hasAllOfIt() throws IOException {
    byte[] content = "a line\n".repeat(100_000).getBytes(StandardCharsets.UTF_8);

    try (var ahead = new ReadAhead(new ByteArrayInputStream(content))) {
      assertThat(ahead.readAllBytes()).isEqualTo(content);
    }
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void read_ofASourceThatThrows_throwsToo() throws IOException {
    var broken =
        new InputStream() {
          @Override
          public int read() {
            throw new IllegalStateException("on purpose");
          }

          @Override
          public int read(byte[] to, int offset, int length) {
            return read();
          }
        };
    var first = new ByteArrayInputStream(new byte[1 << 18]);

    try (var ahead = new ReadAhead(new SequenceInputStream(first, broken))) {
      assertThatThrownBy(ahead::readAllBytes)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("on purpose");
    }
  }
}
