package io.heatshield.shield;

import io.heatshield.guard.AbsentKeys;
import io.heatshield.hash.KeyHash;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Applies changes of keys to what the shield remembers. Thread-safe.
 *
 * <p>The shield remembers two things: the replies of hot keys, which a change drops, and the filter
 * of absent keys, to which every key that may be written is added. There are two sources of
 * changes: commands through the shield, and the upstream's own invalidation messages.
 *
 * <p>For a command through the shield, {@link #beforeWrite} is called for each key that it names,
 * then {@link #onSent}, both before a byte of it reaches the upstream. {@link #onReply} is called
 * exactly once, before its client gets the reply, or when there will be no reply. So a client that
 * has its reply never reads what was kept before its write.
 */
final class Invalidation {

  /**
   * The keys that a command may change.
   *
   * @param keys the keys that it names
   * @param all whether it may change any key, or who may read it
   * @param unnamed whether it may change keys that it does not name, as a script does; the upstream
   *     reports these changes
   */
  record Changes(List<byte[]> keys, boolean all, boolean unnamed) {
    static final Changes NONE = new Changes(List.of(), false, false);
    private static final int MAX_KEYS = 1024;

    boolean isEmpty() {
      return keys.isEmpty() && !isUnclear();
    }

    /** Returns whether keys may be written that are not named. */
    boolean isUnclear() {
      return all || unnamed;
    }

    /** Returns the union; more than {@value #MAX_KEYS} keys become all keys. */
    Changes plus(Changes other) {
      if (other.isEmpty()) {
        return this;
      }
      boolean any = all || other.all || keys.size() + other.keys.size() > MAX_KEYS;
      var union = new ArrayList<byte[]>();
      if (!any) {
        union.addAll(keys);
        union.addAll(other.keys);
      }
      return new Changes(union, any, unnamed || other.unnamed);
    }
  }

  private final KeyHash hash;
  private final HotReplies memory;
  private final AbsentKeys absentKeys;
  private final AtomicInteger resets = new AtomicInteger();

  Invalidation(KeyHash hash, HotReplies memory, AbsentKeys absentKeys) {
    this.hash = hash;
    this.memory = memory;
    this.absentKeys = absentKeys;
  }

  /** Records that a command is about to write a key. */
  void beforeWrite(long keyHash) {
    absentKeys.add(keyHash);
  }

  /** Records that a command with these changes is about to be sent. */
  void onSent(Changes changes) {
    if (changes.isUnclear()) {
      absentKeys.beginUnclear();
    }
  }

  /** Records that a command has made its changes, or may have. */
  void onReply(Changes changes) {
    if (changes.all) {
      invalidateAll();
    }
    if (changes.isUnclear()) {
      absentKeys.endUnclear();
    }
    for (byte[] key : changes.keys) {
      memory.invalidate(key, hash.hash(key));
    }
  }

  /** Records an invalidation message of the upstream; null if any key may have changed. */
  void onReport(byte @Nullable [] key) {
    if (key == null) {
      invalidateAll();
    } else {
      long keyHash = hash.hash(key);
      absentKeys.add(keyHash);
      memory.invalidate(key, keyHash);
    }
  }

  /** Returns the number of times that everything was invalidated. */
  int resets() {
    return resets.get();
  }

  private void invalidateAll() {
    memory.invalidateAll();
    absentKeys.invalidate();
    resets.incrementAndGet();
  }
}
