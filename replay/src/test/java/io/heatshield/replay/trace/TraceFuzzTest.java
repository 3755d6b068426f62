package io.heatshield.replay.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;

class TraceFuzzTest {

  @FuzzTest
  void next_anyBytes_areTouchesOrCountedAsBad(byte[] bytes) throws IOException {
    for (TraceFormat format : TraceFormat.values()) {
      TraceOptions options = TraceOptions.defaults().withFormat(format).withFields("1", "2");
      long nanos = 0;
      try (Trace trace = Trace.open(new ByteArrayInputStream(bytes), bytes.length, options)) {
        while (trace.next() && trace.stats().touches() < 100_000) {
          assertThat(trace.nanos()).isGreaterThanOrEqualTo(nanos);
          assertThat(trace.from()).isBetween(0, trace.to());
          assertThat(trace.to()).isLessThanOrEqualTo(trace.bytes().length);
          nanos = trace.nanos();
        }
      }
    }
  }
}
