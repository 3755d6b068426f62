package io.heatshield.shield.upstream;

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
 * cluster. As a {@link ChangeFeed} it combines the invalidation messages of all of them.
 *
 * <p>Thread-safe. {@link #refresh} and {@link #resolve} may block.
 */
public final class UpstreamServers implements ChangeFeed, AutoCloseable {
  /*
   * view   volatile, read by every command of a cluster; replaced as a whole by the maintenance
   *        thread
   *
   * The shield subscribes to a server's changes before the server is part of a view, and changes
   * count as delivered only if all servers of the current view report theirs. So a value read from
   * a server that does not report is never kept: a load that was sent with a new view completes
   * while that view is checked. Pinned by ShieldClusterIT.
   *
   * When sentinels name another master, new clients connect to it immediately and all connections
   * to the old master are closed. The shield subscribes to the new master only after the last of
   * them has closed. Until then memory neither keeps nor serves values, so no reply of the old
   * master outlives it there. Pinned by ShieldFailoverIT.
   */
  private static final Duration SENTINEL_TIMEOUT = Duration.ofSeconds(1);
  private static final int MAX_OTHERS = 64;

  /**
   * The servers at one time.
   *
   * @param masters the owners of the slots
   * @param servers in the same order
   */
  public record View(Masters masters, List<UpstreamServer> servers) {
    /** Returns the server that owns a slot, or null if none does. */
    public @Nullable UpstreamServer owner(int slot) {
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

  public UpstreamServers(
      RedisUrl url, Duration timeout, Ticker ticker, Consumer<byte @Nullable []> listener)
      throws IOException {
    this.url = url;
    this.timeout = timeout;
    this.ticker = ticker;
    this.listener = listener;
    try {
      this.tls = url.isTls() ? clientTls() : null;
    } catch (SSLException e) {
      throw new IOException("shield.url: TLS is not available: " + e.getMessage(), e);
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
  public void start() {
    if (watcher != null) {
      watcher.start();
    }
    view.servers.forEach(server -> server.listen(null, listener));
  }

  public View view() {
    return view;
  }

  public boolean isCluster() {
    return view.masters.isCluster();
  }

  /** Returns the first server, or null if no server is known. */
  public @Nullable UpstreamServer first() {
    List<UpstreamServer> servers = view.servers;
    return servers.isEmpty() ? null : servers.get(0);
  }

  /** Requests a {@link #refresh} soon, because the known servers may be outdated. */
  public void requestRefresh() {
    outdated = true;
    if (watcher != null) {
      watcher.refresh();
    }
  }

  public boolean wantsRefresh() {
    return outdated;
  }

  /** Updates the servers from the cluster or the sentinels. */
  public void refresh(Duration limit) {
    outdated = false;
    if (watcher != null) {
      watcher.awaitKnown(limit);
      return;
    }
    try {
      View before = view;
      Masters found = Masters.find(url, before.masters, limit);
      if (!found.isSame(before.masters)) {
        take(found, before);
      }
    } catch (RedisCallException e) {
      outdated = true;
    }
  }

  /** Resolves host names again. */
  public void resolve() {
    view.servers.forEach(UpstreamServer::resolve);
    others.clear();
  }

  /** Returns the server that {@code by} redirects to, or null if the address is invalid. */
  public @Nullable UpstreamServer redirectTarget(UpstreamServer by, String hostAndPort) {
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
