package io.heatshield.shield;

import io.heatshield.guard.ChangeFeed;
import io.heatshield.redis.Invalidations;
import io.heatshield.redis.Masters;
import io.heatshield.redis.RedisCallException;
import io.heatshield.redis.RedisUrl;
import io.heatshield.redis.SentinelWatcher;
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
 * The servers behind the shield: a single one, the master that sentinels name, or the masters of a
 * cluster. As a change feed it says which changes of all of them have been reported. Any thread may
 * call any method; {@link #refresh} and {@link #resolve} may block.
 */
final class UpstreamServers implements ChangeFeed, AutoCloseable {
  /*
   * view   volatile, read by every command of a cluster; replaced as a whole by the maintenance
   *        thread
   *
   * The changes of a server are subscribed to before it is in a view, and changes count as
   * delivered only if all servers of the present view report theirs. So nothing that was read from
   * a server which does not report is kept: a load that was sent by a new view completes when that
   * view is asked. Pinned by ShieldClusterIT.
   *
   * When sentinels name another master, new clients connect to that one at once, all connections
   * to the old one are closed, and only when the last has closed are the changes of the new one
   * subscribed to. Until then nothing is kept or served from memory, so no reply of the old master
   * outlives it there. Pinned by ShieldFailoverIT.
   */
  private static final Duration SENTINEL_TIMEOUT = Duration.ofSeconds(1);
  private static final int MAX_OTHERS = 64;

  /** The owners of the slots, and the servers in the same order. */
  record View(Masters masters, List<UpstreamServer> servers) {
    /** Returns the server that owns a slot, or null if none does. */
    @Nullable UpstreamServer owner(int slot) {
      int index = masters.owner(slot);
      return index < 0 || index >= servers.size() ? null : servers.get(index);
    }
  }

  private final RedisUrl url;
  private final Duration timeout;
  private final Ticker ticker;
  private final Consumer<byte @Nullable []> listener;
  private final @Nullable SslContext tls;
  private final Map<String, UpstreamServer> others = new ConcurrentHashMap<>();
  private final @Nullable SentinelWatcher watcher;
  private volatile View view;
  private volatile boolean outdated = true;

  UpstreamServers(
      RedisUrl url, Duration timeout, Ticker ticker, Consumer<byte @Nullable []> listener)
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

  /** Subscribes to changes. */
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
  @Nullable UpstreamServer first() {
    List<UpstreamServer> servers = view.servers;
    return servers.isEmpty() ? null : servers.get(0);
  }

  /** Asks soon which servers there are, because the known ones may be outdated. */
  void requestRefresh() {
    outdated = true;
    if (watcher != null) {
      watcher.refresh();
    }
  }

  boolean wantsRefresh() {
    return outdated;
  }

  /** Finds out which servers there are. */
  void refresh(Duration patience) {
    outdated = false;
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
    } catch (RedisCallException e) {
      outdated = true;
    }
  }

  /** Resolves host names again. */
  void resolve() {
    view.servers.forEach(UpstreamServer::resolve);
    others.clear();
  }

  /** Returns the server that another one redirects to, or null if it names none. */
  @Nullable UpstreamServer redirectTarget(UpstreamServer by, String hostAndPort) {
    try {
      RedisUrl found = by.url().at(hostAndPort);
      for (UpstreamServer server : view.servers) {
        if (server.url().toString().equals(found.toString())) {
          return server;
        }
      }
      if (others.size() >= MAX_OTHERS) {
        others.clear();
      }
      return others.computeIfAbsent(found.toString(), none -> server(found));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  @Override
  public boolean isDelivering() {
    List<UpstreamServer> servers = view.servers;
    for (int i = 0; i < servers.size(); i++) {
      if (!servers.get(i).isReporting()) {
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
    List<UpstreamServer> servers = view.servers;
    for (int i = 0; i < servers.size(); i++) {
      if (!servers.get(i).hasReported(mark)) {
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
    view.servers.forEach(UpstreamServer::close);
  }

  private void take(Masters found, View before) {
    var known = new HashMap<String, UpstreamServer>();
    before.servers.forEach(server -> known.put(server.url().toString(), server));
    var servers = new ArrayList<UpstreamServer>();
    for (RedisUrl one : found.servers()) {
      UpstreamServer server = known.remove(one.toString());
      if (server == null) {
        server = server(one);
        server.listen(null, listener);
      }
      servers.add(server);
    }
    view = new View(found, List.copyOf(servers));
    listener.accept(null);
    known.values().forEach(UpstreamServer::close);
  }

  /** Switches to the master that sentinels name. */
  private void follow(RedisUrl master) {
    View before = view;
    UpstreamServer next = server(master);
    view = new View(Masters.named(master), List.of(next));
    listener.accept(null);
    UpstreamServer old = before.servers.isEmpty() ? null : before.servers.get(0);
    if (old == null) {
      next.listen(watcher, listener);
    } else {
      old.close();
      old.disconnect(() -> next.listen(watcher, listener));
    }
  }

  private UpstreamServer server(RedisUrl one) {
    return new UpstreamServer(one, tls, timeout, ticker);
  }
}
