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
 * The state of one client: its user, its store, its transaction and its subscriptions.
 *
 * <p>Changed on the client's event loop. Other threads may read what CLIENT LIST shows, possibly
 * with a short delay.
 */
public final class Session {
  /** The maximum number of keys that one client may watch. */
  static final int MAX_WATCHED = 10_000;

  /** A key and its version when the client began to watch it. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
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
  private volatile @Nullable TransactionQueue queue;
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

  public long id() {
    return id;
  }

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

  /** Returns the user, or null if the client has not authenticated. */
  public @Nullable User user() {
    return user;
  }

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

  long createdNanos() {
    return createdNanos;
  }

  public long seenNanos() {
    return seenNanos;
  }

  /** Records the time of the last command, by the ticker, and the command. */
  public void seen(long nanos, Command command) {
    // A volatile write costs as much as the rest of a command; the ticker changes rarely.
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

  /** Returns the open transaction, or null. */
  public @Nullable TransactionQueue queue() {
    return queue;
  }

  public void queue(@Nullable TransactionQueue next) {
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

  public boolean isSubscribed() {
    return subscriptions > 0;
  }

  int subscriptions() {
    return subscriptions;
  }

  public Caller caller() {
    return caller;
  }

  /** Returns the statistics of the key of the current command if it is hot, or null. */
  public @Nullable HotContext hot() {
    return hot;
  }

  public void hot(@Nullable HotContext context) {
    hot = context;
  }

  /** Sets the commands of a HOTKEYS session that the next reply belongs to. */
  public void tracked(List<HotSession.Use> uses) {
    tracked = uses;
  }

  /** Records a reply for the hot key and the HOTKEYS session that it belongs to. */
  public void answered(long bytes, boolean throttled) {
    if (!tracked.isEmpty()) {
      tracked.forEach(use -> use.answered(bytes / tracked.size()));
      tracked = List.of();
    }
    HotContext context = hot;
    if (context != null) {
      context.answered(bytes, throttled);
      hot = null;
    }
  }

  /** Records which keys of a read are missing, if one of them is hot. */
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

  /** Records that the only key of a read is missing, if it is hot. */
  public void missed() {
    HotContext context = hot;
    if (context != null) {
      context.missed();
    }
  }
}
