package io.heatshield.data.command;

import io.heatshield.data.command.hot.HotContexts;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.hash.HashSecret;
import io.heatshield.store.GuardedStore;
import java.nio.ByteBuffer;

/**
 * A store as clients of the data door see it.
 *
 * @param name its name, which is also its scope
 * @param index the number that SELECT takes for it
 * @param store what holds the data
 * @param hot counts every key of every command, and what is known about hot ones
 * @param maxValueBytes the longest value
 */
public record OpenStore(
    String name, int index, GuardedStore store, HotContexts hot, int maxValueBytes) {

  /** Returns what counts every key of every command. */
  public HotKeyDetector detector() {
    return hot.detector();
  }

  /** Returns the most bytes that one structure may take. */
  long maxStructureBytes() {
    return store.options().maxMemory() / 4;
  }

  /** Returns what the items of count-min sketches are hashed with: one key, so that they merge. */
  public HashSecret countMinSecret() {
    ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES);
    bytes.putLong(hot.hash().hash("key of count-min sketches, first half"));
    bytes.putLong(hot.hash().hash("key of count-min sketches, second half"));
    return HashSecret.of(bytes.array());
  }
}
