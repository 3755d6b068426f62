package io.heatshield.data.command;

import io.heatshield.data.command.hot.HotContexts;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.hash.HashSecret;
import io.heatshield.store.GuardedStore;
import java.nio.ByteBuffer;

/**
 * A store that clients can select.
 *
 * @param name its name, which is also its scope
 * @param index its number in SELECT
 * @param store the data
 * @param hot counts the keys of every command and explains hot ones
 * @param maxValueBytes the maximum length of a value
 */
public record OpenStore(
    String name, int index, GuardedStore store, HotContexts hot, int maxValueBytes) {

  public HotKeyDetector detector() {
    return hot.detector();
  }

  /** Returns the maximum size of one data structure. */
  long maxStructureBytes() {
    return store.options().maxMemory() / 4;
  }

  /** Returns the secret of all count-min sketches: they can be merged because they share it. */
  public HashSecret countMinSecret() {
    ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES);
    bytes.putLong(hot.hash().hash("key of count-min sketches, first half"));
    bytes.putLong(hot.hash().hash("key of count-min sketches, second half"));
    return HashSecret.of(bytes.array());
  }
}
