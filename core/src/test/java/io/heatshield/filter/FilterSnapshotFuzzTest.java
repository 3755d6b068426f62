package io.heatshield.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.heatshield.hash.HashSecret;
import io.heatshield.snapshot.InvalidSnapshotException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;

/** Checks that any bytes are either rejected or load as a filter that saves the same bytes. */
class FilterSnapshotFuzzTest {
  private static final HashSecret SECRET = HashSecret.of(new byte[32]);

  @FuzzTest
  void restore_anyBytes_returnsAFilterOrThrows(byte[] bytes) throws IOException {
    CuckooFilter filter;
    try {
      filter =
          CuckooFilter.builder()
              .secret(SECRET)
              .maxBytes(1 << 24)
              .restore(new ByteArrayInputStream(bytes));
    } catch (InvalidSnapshotException refused) {
      assertThat(refused).hasMessageStartingWith("snapshot ");
      return;
    }

    byte[] again = FilterSnapshotTest.bytes(filter);
    assertThat(again).isEqualTo(Arrays.copyOf(bytes, again.length));
  }
}
