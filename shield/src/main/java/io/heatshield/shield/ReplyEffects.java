package io.heatshield.shield;

import io.heatshield.data.command.hot.HotContext;
import io.heatshield.guard.AbsenceCheck;
import io.heatshield.shield.command.CommandKind;
import io.heatshield.shield.command.UpstreamCommand;
import org.jspecify.annotations.Nullable;

/**
 * The effects that the reply to one command will have; known when the command is sent.
 *
 * @param command the command, or null if the upstream did not describe it
 * @param changes the keys that it may change
 * @param suspendsMemory whether its client is not served from memory until the reply
 * @param onReply receives whether the command succeeded
 * @param read the read of its key
 * @param context the statistics of its key, if the key is hot
 */
record ReplyEffects(
    @Nullable UpstreamCommand command,
    Invalidation.Changes changes,
    boolean suspendsMemory,
    OnReply onReply,
    Read read,
    @Nullable HotContext context) {
  static final ReplyEffects NONE = of(null, Invalidation.Changes.NONE, Read.NONE, null);

  /** Receives the outcome of a command. */
  @FunctionalInterface
  interface OnReply {
    OnReply NOTHING = success -> {};

    void accept(boolean success);

    default OnReply andThen(OnReply next) {
      if (this == NOTHING || next == NOTHING) {
        return this == NOTHING ? next : this;
      }
      return success -> {
        accept(success);
        next.accept(success);
      };
    }
  }

  /**
   * A read of one key.
   *
   * @param key the key, if its reply may be kept in memory
   * @param load the load that the reply completes, or null
   * @param absence the filter's answer, to be verified by the reply
   */
  record Read(
      HotReplies.@Nullable ViewKey key, HotReplies.@Nullable ReplyLoad load, AbsenceCheck absence) {
    static final Read NONE = new Read(null, null, AbsenceCheck.NONE);
  }

  static ReplyEffects of(
      @Nullable UpstreamCommand command,
      Invalidation.Changes changes,
      Read read,
      @Nullable HotContext context) {
    return new ReplyEffects(command, changes, false, OnReply.NOTHING, read, context);
  }

  /** Returns whether the command is of a kind. */
  boolean is(CommandKind kind) {
    return command != null && command.kind() == kind;
  }

  /** Returns whether the reply may take any time. */
  boolean isBlocking() {
    return command != null && command.blocking();
  }

  ReplyEffects andThen(OnReply next) {
    if (next == OnReply.NOTHING) {
      return this;
    }
    return new ReplyEffects(command, changes, suspendsMemory, onReply.andThen(next), read, context);
  }

  /** Returns the same effects for a reply that is not kept in memory. */
  ReplyEffects withoutLoad() {
    var same = new Read(read.key, null, read.absence);
    return new ReplyEffects(command, changes, suspendsMemory, onReply, same, context);
  }

  /** Returns the effects of a part of the reply: none, except for how long it may take. */
  ReplyEffects ofPart() {
    return of(command, Invalidation.Changes.NONE, Read.NONE, null);
  }
}
