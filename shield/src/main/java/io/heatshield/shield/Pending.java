package io.heatshield.shield;

import io.heatshield.data.command.hot.HotContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One answer that a client waits for, or that the shield itself waits for on its connection. */
final class Pending {
  /** What happens when the answer is there. */
  @FunctionalInterface
  interface Outcome {
    /** Takes whether the upstream did what it was asked. */
    void told(boolean done);
  }

  /** When the command was understood, for the time that its answer takes. */
  final long startNanos = System.nanoTime();

  /** Where it was asked; null if nobody was. */
  @Nullable UpstreamLink link;

  /** What was asked, if it may be asked again at another server that the answer points to. */
  byte @Nullable [] request;

  /** How often the answer pointed to another server. */
  int hops;

  /** What the answer is a part of, if it is. */
  @Nullable Gather gather;

  /** Which part. */
  int part;

  /** The answer, if it is known already and only waits for its turn. */
  byte @Nullable [] local;

  /** Whether the client did not ask this and must not see the answer. */
  boolean own;

  /** Whether the upstream says what it likes from here on. */
  boolean stream;

  /** Whether it may take any time. */
  boolean blocking;

  /** Whether the upstream may go without an answer. */
  boolean farewell;

  /** Whether nothing may be answered from memory until this is answered. */
  boolean unsettles;

  /** Whether keys may change that are not named. */
  boolean scripted;

  /** Whether the filter holds its tongue until this is answered. */
  boolean unclear;

  /** The hash of the key that the filter said is not there, if it did. */
  long absentHash;

  /** Whether the filter said that the key is not there. */
  boolean saidAbsent;

  /** Whether any key may change. */
  boolean wipes;

  /** Whether it reads one key. */
  boolean reads;

  /** The keys that may change. */
  List<byte[]> changed = List.of();

  /** The key that is read, if memory may hold it. */
  @Nullable HeldKey key;

  HotReads.@Nullable Flight flight;
  @Nullable HotContext hot;
  @Nullable Outcome outcome;

  /** Returns an answer that the client must not see. */
  static Pending own(UpstreamLink link) {
    var own = new Pending();
    own.own = true;
    own.link = link;
    return own;
  }
}
