package io.heatshield.data.command.session;

import io.heatshield.data.command.Command;
import io.heatshield.data.command.OpenStore;
import io.heatshield.data.command.hot.Caller;
import io.heatshield.data.command.hot.HotContext;
import io.heatshield.data.command.hot.HotSession;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known about one client: who it is, where it looks, and what it has begun.
 *
 * <p>Its event loop changes it. Others may read what CLIENT LIST shows, and may see it a moment
 * late.
 */
public final class Session {
  /** The most keys that one client may watch. */
  static final int MAX_WATCHED = 10_000;

  /** A key and what its stamp was when the client began to watch it. */
  @SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
  record Watched(OpenStore store, byte[] key, long stamp) {}

  private final long id;
  private final Peer peer;
  private final String address;
  private final String localAddress;
  private final long createdNanos;
  private final Caller caller;
  private final Set<String> channels = new LinkedHashSet<>();
  private final List<Watched> watched = new ArrayList<>();
  private volatile @Nullable User user;
  private volatile OpenStore store;
  private volatile String name = "";
  private volatile String library = "";
  private volatile String libraryVersion = "";
  private volatile boolean resp3;
  private volatile long seenNanos;
  private volatile @Nullable Command last;
  private volatile @Nullable Queue queue;
  private volatile int subscriptions;
  private @Nullable HotContext hot;
  private List<HotSession.Use> tracked = List.of();

  /** Creates the session of a client that has just connected. */
  public Session(
      long id, Peer peer, String address, String localAddress, OpenStore store, long nowNanos) {
    this.id = id;
    this.peer = peer;
    this.address = address;
    this.localAddress = localAddress;
    this.store = store;
    this.createdNanos = nowNanos;
    this.seenNanos = nowNanos;
    this.caller = new Caller(id, address, nowNanos);
  }

  /** Returns the number that names the client. */
  public long id() {
    return id;
  }

  /** Returns the connection. */
  public Peer peer() {
    return peer;
  }

  /** Returns the client's address and port. */
  public String address() {
    return address;
  }

  String localAddress() {
    return localAddress;
  }

  /** Returns whether the client speaks RESP3. */
  public boolean isResp3() {
    return resp3;
  }

  void resp3(boolean yes) {
    resp3 = yes;
  }

  /** Returns who the client is, or null if it has not said yet. */
  public @Nullable User user() {
    return user;
  }

  /** Sets who the client is. */
  public void user(@Nullable User next) {
    user = next;
    peer.authenticated(next != null);
  }

  public OpenStore store() {
    return store;
  }

  public void store(OpenStore next) {
    store = next;
  }

  String name() {
    return name;
  }

  public void name(String next) {
    name = next;
    caller.name(next);
  }

  void library(String next) {
    library = next;
  }

  void libraryVersion(String next) {
    libraryVersion = next;
  }

  String library() {
    return library;
  }

  String libraryVersion() {
    return libraryVersion;
  }

  /** Returns when the client connected, by the ticker. */
  long createdNanos() {
    return createdNanos;
  }

  /** Returns when the client sent its last command, by the ticker. */
  public long seenNanos() {
    return seenNanos;
  }

  public void seen(long nanos, Command command) {
    // Read far more often than changed: a volatile write costs as much as the rest of a command.
    if (seenNanos != nanos) {
      seenNanos = nanos;
    }
    if (last != command) {
      last = command;
    }
  }

  @Nullable Command last() {
    return last;
  }

  /** Returns the transaction that was begun, or null. */
  public @Nullable Queue queue() {
    return queue;
  }

  public void queue(@Nullable Queue next) {
    queue = next;
  }

  List<Watched> watched() {
    return watched;
  }

  public Set<String> channels() {
    return channels;
  }

  public void countSubscriptions() {
    subscriptions = channels.size();
  }

  /** Returns whether the client waits for messages, and so may be silent for long. */
  public boolean isSubscribed() {
    return subscriptions > 0;
  }

  int subscriptions() {
    return subscriptions;
  }

  /** Returns who a use of a hot key is put down to. */
  public Caller caller() {
    return caller;
  }

  public @Nullable HotContext hot() {
    return hot;
  }

  public void hot(@Nullable HotContext context) {
    hot = context;
  }

  /** Sets the commands that the next answer is put down to in a session of HOTKEYS. */
  public void tracked(List<HotSession.Use> uses) {
    tracked = uses;
  }

  /** Puts an answer down to the hot key that it was about, if there was one. */
  public void answered(long bytes, boolean refused) {
    if (!tracked.isEmpty()) {
      for (HotSession.Use use : tracked) {
        use.answered(bytes / tracked.size());
      }
      tracked = List.of();
    }
    HotContext context = hot;
    if (context != null) {
      if (refused) {
        context.answered(bytes, true);
      } else {
        caller.answered(context, bytes);
      }
      hot = null;
    }
  }

  /** Puts down the uses of hot keys that were gathered. */
  public void settle() {
    caller.settle();
  }

  /** Puts down which of the keys that were read are missing, if one of them is hot. */
  public void missed(List<byte[]> keys, List<? extends @Nullable Object> values) {
    if (hot == null) {
      return;
    }
    for (int i = 0; i < keys.size(); i++) {
      if (values.get(i) == null) {
        store.hot().find(keys.get(i)).ifPresent(HotContext::missed);
      }
    }
  }

  /** Puts down that the one key that was read is missing, if it is hot. */
  public void missed() {
    HotContext context = hot;
    if (context != null) {
      context.missed();
    }
  }
}
