package io.heatshield.data.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.resp.Reply;
import io.heatshield.store.engine.StoreException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class RepliesTest {
  @Test
  void failure_ofTheDisk_isMisconfAndNamesTheFolder() {
    Reply reply =
        failure(
            StoreException.Reason.DISK, "Errors writing to /data/orders: No space left on device");

    assertThat(reply)
        .isEqualTo(
            Reply.error(
                "MISCONF Errors writing to /data/orders: No space left on device; writes are"
                    + " refused until the disk takes them"));
  }

  @Test
  void failure_ofDamagedData_namesTheFile() {
    Reply reply =
        failure(StoreException.Reason.DAMAGED, "/data/000009.sst is damaged at byte 7228");

    assertThat(reply).isEqualTo(Reply.error("DAMAGED /data/000009.sst is damaged at byte 7228"));
  }

  private static Reply failure(StoreException.Reason reason, String message) {
    return Replies.failure(new CompletionException(new StoreException(reason, message)));
  }
}
