package io.heatshield.store.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Plain bytes of a short value, kept so that as many others can take their place in the same array.
 *
 * <p>What an overwrite brings then dies young and nothing old comes to point at it, which is what
 * costs a collector that keeps generations apart most. One thread at a time may overwrite; any may
 * read at any time, and gets a copy of all that was there at some moment of its call.
 */
final class Small {
  /*
   * 4 bytes that count the overwrites, twice each: odd while one goes on. Then the bytes.
   *
   * version   overwrite: opaque, a store-store fence after it; release at the end   read: acquire, at the end opaque after
   *           an acquire fence
   *
   * A reader that sees an odd version, or another one at the end than at the start, reads again. Pinned by SmallTest.
   */
  static final int MOST_BYTES = 128;
  static final int HEAD = Integer.BYTES;
  private static final VarHandle VERSION =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final int SPINS = 100;

  private Small() {}

  static boolean fits(byte[] bytes) {
    return bytes.length <= MOST_BYTES;
  }

  /** Returns an array that keeps a copy of bytes. */
  static byte[] of(byte[] bytes) {
    byte[] kept = new byte[HEAD + bytes.length];
    System.arraycopy(bytes, 0, kept, HEAD, bytes.length);
    return kept;
  }

  /** Puts bytes in the place of as many; returns false, and does nothing, if they are not. */
  static boolean overwrite(byte[] kept, byte[] bytes) {
    if (kept.length != HEAD + bytes.length) {
      return false;
    }
    int version = (int) VERSION.getOpaque(kept, 0);
    VERSION.setOpaque(kept, 0, version + 1);
    VarHandle.storeStoreFence();
    System.arraycopy(bytes, 0, kept, HEAD, bytes.length);
    VERSION.setRelease(kept, 0, version + 2);
    return true;
  }

  /** Returns a copy of the bytes. */
  static byte[] read(byte[] kept) {
    for (int round = 0; ; round++) {
      int version = (int) VERSION.getAcquire(kept, 0);
      byte[] bytes = Arrays.copyOfRange(kept, HEAD, kept.length);
      VarHandle.acquireFence();
      if ((version & 1) == 0 && (int) VERSION.getOpaque(kept, 0) == version) {
        return bytes;
      }
      pause(round);
    }
  }

  /**
   * Waits a moment; after some rounds who overwrites must be paused, and may need this processor.
   */
  @SuppressWarnings("ThreadPriorityCheck") // Nothing is decided by it; it only shortens a wait.
  private static void pause(int round) {
    if (round < SPINS) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }
}
