package io.heatshield.data.command;

import io.heatshield.data.command.hot.HotContext;
import io.heatshield.data.command.hot.HotContexts;
import io.heatshield.data.command.session.Session;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A command that a client has sent. */
public final class Call extends Arguments {
  /*
   * Neighbouring calls of a pipeline that are the same command on the same key form a run. The
   * first call of a run counts the key for all of them, so that a hot key costs less per command
   * than a cool one. All calls of a run have the same number of arguments, so they are refused or
   * executed alike. If the connection is closed in between, the count is too high, never too low.
   */
  private final ServerContext server;
  private final Session session;
  private final int keyIndex;
  private final long hash;
  private @Nullable Call first;
  private int uses = 1;
  private @Nullable HotContext hot;

  Call(ServerContext server, Session session, Command command, byte[][] args) {
    super(command, args);
    this.server = server;
    this.session = session;
    this.keyIndex = command.spec().onlyKey(args.length);
    this.hash = keyIndex == 0 ? 0 : server.hash().hash(args[keyIndex]);
  }

  /** Returns what all clients share. */
  public ServerContext server() {
    return server;
  }

  public Session session() {
    return session;
  }

  /** Returns the store that the client has selected. */
  public OpenStore store() {
    return session.store();
  }

  /** Returns whether there is no such command. */
  @SuppressWarnings("ReferenceEquality")
  public boolean isUnknown() {
    return command() == Command.UNKNOWN;
  }

  /** Returns the key of a call with exactly one key, or null. */
  public byte @Nullable [] key() {
    return keyIndex == 0 ? null : arg(keyIndex);
  }

  /** Returns the hash of {@link #key}, which is the same in all stores. */
  public long hash() {
    return hash;
  }

  /** Adds this call to the run of the call before it, if they are equal but for their values. */
  @SuppressWarnings("ReferenceEquality")
  public void follow(Call before) {
    if (keyIndex != 0
        && hash == before.hash
        && command() == before.command()
        && count() == before.count()
        && Arrays.equals(arg(keyIndex), before.arg(keyIndex))) {
      first = before.first == null ? before : before.first;
      first.uses++;
    }
  }

  /** Counts the keys, once for a run of calls. */
  void touch() {
    if (first == null) {
      touch(uses);
      hot = session.hot();
      return;
    }
    session.hot(first.hot);
    session.caller().keys().repeat();
    if (first.hot != null) {
      first.hot.use(session.caller(), command(), size(), 0);
    }
  }

  /** Counts the keys; a single key is counted several times. */
  public void touch(int times) {
    HotContexts contexts = store().hot();
    long size = size();
    if (keyIndex != 0) {
      byte[] key = arg(keyIndex);
      session.hot(contexts.touch(session.caller(), command(), hash, key, size, times));
      return;
    }
    HotContext found = null;
    for (byte[] key : command().keys(args())) {
      long keyHash = server.hash().hash(key);
      HotContext context = contexts.touch(session.caller(), command(), keyHash, key, size, 1);
      found = context == null ? found : context;
    }
    session.hot(found);
  }

  private long size() {
    long size = 0;
    for (byte[] arg : args()) {
      size += arg.length;
    }
    return size;
  }
}
