package io.heatshield.shield;

import io.heatshield.guard.AbsentKeys;
import io.heatshield.hash.KeyHash;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what the shield remembers of the upstream's keys true when keys change.
 *
 * <p>Two things are remembered: the replies of hot keys, which a change drops, and the filter of
 * absent keys, to which every key that may be written is added. There are two sources of changes:
 * commands through the shield, and the upstream's own invalidation messages. Any thread may call
 * any method.
 *
 * <p>A command through the shield calls, in this order, {@link #beforeWrite} for each key that it
 * names and {@link #onSent}, before a byte of it reaches the upstream, and {@link #onReply} exactly
 * once, before its client gets the reply, or when there will be none. So a client that has its
 * reply never reads what was kept before its write.
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

    /** Returns the changes of both; too many keys become all keys. */
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

  /** Records that the changes of a command have been made, or may have been. */
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

  /** Records that the upstream reported the change of a key, or that any may have changed: null. */
  void onReport(byte @Nullable [] key) {
    if (key == null) {
      invalidateAll();
    } else {
      long keyHash = hash.hash(key);
      absentKeys.add(keyHash);
      memory.invalidate(key, keyHash);
    }
  }

  /** Returns how often any key may have changed. */
  int resets() {
    return resets.get();
  }

  private void invalidateAll() {
    memory.invalidateAll();
    absentKeys.invalidate();
    resets.incrementAndGet();
  }
}
