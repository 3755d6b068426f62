package io.heatshield.shield;

import io.heatshield.redis.Invalidations;
import io.heatshield.redis.Masters;
import io.heatshield.redis.RedisUrl;
import io.heatshield.redis.SentinelWatcher;
import io.heatshield.redis.TalkException;
import io.heatshield.time.Ticker;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The servers behind the shield: one, the one that sentinels call the master, or the masters of a
 * cluster. Any thread may call; {@link #refresh} waits.
 */
final class Upstreams implements Tracking, AutoCloseable {
  /*
   * view     read: volatile, by every command of a cluster   replaced whole, by the upkeep's thread
   *
   * A server listens to changes from before it is in a view, and changes count as told only if all servers of the
   * present view tell theirs. So nothing that was read from a server which does not tell is kept: a read that was sent
   * by a new view lands when that view is asked. Pinned by ShieldClusterIT.
   *
   * When sentinels name another master, clients that come see that one at once, all connections to
   * the old one are ended, and only when the last has ended does the new one begin to tell of
   * changes: until then nothing is kept or served from memory, so no answer of the old master
   * outlives it there. Pinned by ShieldFailoverIT.
   */
  private static final Duration SENTINEL_TIMEOUT = Duration.ofSeconds(1);
  private static final int MAX_STRANGERS = 64;

  /** Who has which slots, and the servers in the same order. */
  record View(Masters masters, List<Upstream> servers) {
    /** Returns the server that has a slot, or null if nobody has. */
    @Nullable Upstream owner(int slot) {
      int index = masters.owner(slot);
      return index < 0 || index >= servers.size() ? null : servers.get(index);
    }
  }

  private final RedisUrl url;
  private final Duration timeout;
  private final Ticker ticker;
  private final Consumer<byte @Nullable []> listener;
  private final @Nullable SslContext tls;
  private final Map<String, Upstream> strangers = new ConcurrentHashMap<>();
  private final @Nullable SentinelWatcher watcher;
  private volatile View view;
  private volatile boolean doubted = true;

  Upstreams(RedisUrl url, Duration timeout, Ticker ticker, Consumer<byte @Nullable []> listener)
      throws IOException {
    this.url = url;
    this.timeout = timeout;
    this.ticker = ticker;
    this.listener = listener;
    try {
      this.tls = url.isTls() ? clientTls() : null;
    } catch (SSLException e) {
      throw new IOException("shield.url: TLS cannot be had: " + e.getMessage(), e);
    }
    watcher = url.isSentinel() ? SentinelWatcher.of(url, SENTINEL_TIMEOUT, this::follow) : null;
    Masters named = Masters.named(url);
    view = new View(named, named.servers().stream().map(this::server).toList());
  }

  private static SslContext clientTls() throws SSLException {
    return SslContextBuilder.forClient()
        .protocols("TLSv1.3", "TLSv1.2")
        .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
        .build();
  }

  /** Begins to tell of changes. */
  void start() {
    if (watcher != null) {
      watcher.start();
    }
    view.servers.forEach(server -> server.listen(null, listener));
  }

  View view() {
    return view;
  }

  boolean isCluster() {
    return view.masters.isCluster();
  }

  /** Returns the one server, if it is known; of a cluster, the first. */
  @Nullable Upstream first() {
    List<Upstream> servers = view.servers;
    return servers.isEmpty() ? null : servers.get(0);
  }

  /** Takes note that the servers may be others than it is thought. */
  void doubt() {
    doubted = true;
    if (watcher != null) {
      watcher.ask();
    }
  }

  boolean isDoubted() {
    return doubted;
  }

  /** Asks which servers there are. */
  void refresh(Duration patience) {
    doubted = false;
    if (watcher != null) {
      watcher.awaitKnown(patience);
      return;
    }
    try {
      View before = view;
      Masters found = Masters.find(url, before.masters, patience);
      if (!found.isSame(before.masters)) {
        take(found, before);
      }
    } catch (TalkException e) {
      doubted = true;
    }
  }

  /** Looks names up again; may wait. */
  void resolve() {
    view.servers.forEach(Upstream::resolve);
    strangers.clear();
  }

  /** Returns the server that another one points to, or null if it names none. */
  @Nullable Upstream pointedTo(Upstream by, String hostAndPort) {
    try {
      RedisUrl found = by.url().at(hostAndPort);
      for (Upstream server : view.servers) {
        if (server.url().toString().equals(found.toString())) {
          return server;
        }
      }
      if (strangers.size() >= MAX_STRANGERS) {
        strangers.clear();
      }
      return strangers.computeIfAbsent(found.toString(), none -> server(found));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  @Override
  public boolean isUp() {
    List<Upstream> servers = view.servers;
    for (int i = 0; i < servers.size(); i++) {
      if (!servers.get(i).isTold()) {
        return false;
      }
    }
    return !servers.isEmpty();
  }

  @Override
  public long mark() {
    return Invalidations.mark();
  }

  @Override
  public boolean hasPassed(long mark) {
    List<Upstream> servers = view.servers;
    for (int i = 0; i < servers.size(); i++) {
      if (!servers.get(i).hasTold(mark)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() {
    if (watcher != null) {
      watcher.close();
    }
    view.servers.forEach(Upstream::close);
  }

  private void take(Masters found, View before) {
    var known = new HashMap<String, Upstream>();
    before.servers.forEach(server -> known.put(server.url().toString(), server));
    var servers = new ArrayList<Upstream>();
    for (RedisUrl one : found.servers()) {
      Upstream server = known.remove(one.toString());
      if (server == null) {
        server = server(one);
        server.listen(null, listener);
      }
      servers.add(server);
    }
    view = new View(found, List.copyOf(servers));
    listener.accept(null);
    known.values().forEach(Upstream::close);
  }

  /** Goes over to the master that sentinels name. */
  private void follow(RedisUrl master) {
    View before = view;
    Upstream next = server(master);
    view = new View(Masters.named(master), List.of(next));
    listener.accept(null);
    Upstream old = before.servers.isEmpty() ? null : before.servers.get(0);
    if (old == null) {
      next.listen(watcher, listener);
    } else {
      old.close();
      old.disconnect(() -> next.listen(watcher, listener));
    }
  }

  private Upstream server(RedisUrl one) {
    return new Upstream(one, tls, timeout, ticker);
  }
}
