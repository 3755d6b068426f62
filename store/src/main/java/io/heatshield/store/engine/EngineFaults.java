package io.heatshield.store.engine;

/**
 * Faults that keep an engine from working normally.
 *
 * @param write why writes are refused now, or an empty string
 * @param refusedWrites how many writes the disk has refused
 * @param damage the damage that was found first, or an empty string
 * @param damagedReads how many calls failed because of damage
 */
public record EngineFaults(String write, long refusedWrites, String damage, long damagedReads) {
  /** No faults. */
  public static final EngineFaults NONE = new EngineFaults("", 0, "", 0);

  /** Returns whether writes are accepted. */
  public boolean isWritable() {
    return write.isEmpty();
  }
}
