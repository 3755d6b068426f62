package io.heatshield.store.engine;

/**
 * What keeps an engine from doing all of its work.
 *
 * @param write why writes are refused now, or an empty string
 * @param refusedWrites how many writes the disk has refused
 * @param damage what was found damaged first, or an empty string
 * @param damagedReads how many calls met damage
 */
public record EngineFaults(String write, long refusedWrites, String damage, long damagedReads) {
  /** No fault. */
  public static final EngineFaults NONE = new EngineFaults("", 0, "", 0);

  /** Returns whether writes are taken. */
  public boolean isWritable() {
    return write.isEmpty();
  }
}
