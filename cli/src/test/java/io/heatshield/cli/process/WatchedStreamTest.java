package io.heatshield.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;

class WatchedStreamTest {

  @Test
  void write_healthyTarget_arrivesWhole() {
    var target = new ByteArrayOutputStream();
    var stream = new WatchedStream(target);

    stream.write('a');
    stream.write(new byte[] {'x', 'b', 'c', 'x'}, 1, 2);
    stream.flush();

    assertThat(target.toByteArray()).containsExactly('a', 'b', 'c');
    assertThat(stream.fault()).isNull();
  }

  @Test
  void write_afterAFailure_keepsTheFirstAndDoesNotRetry() {
    var target = new FailingStream();
    var stream = new WatchedStream(target);

    stream.write('a');
    stream.write('b');
    stream.flush();

    assertThat(stream.fault()).hasMessage("fault 1");
    assertThat(target.calls).isEqualTo(1);
  }

  private static final class FailingStream extends OutputStream {
    private int calls;

    @Override
    public void write(int b) throws IOException {
      calls++;
      throw new IOException("fault " + calls);
    }
  }
}
