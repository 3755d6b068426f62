package io.heatshield.redis;

import io.heatshield.redis.command.ClientSettings;
import io.heatshield.redis.command.Command;
import io.heatshield.redis.command.Node;
import io.heatshield.redis.command.Route;
import io.heatshield.redis.connection.Address;
import io.heatshield.redis.connection.Endpoint;
import io.heatshield.redis.script.Failure;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Routes all commands to one server: the named one, or the master that sentinels name. */
final class SingleRoute implements Route {
  private final Node node;
  private final Endpoint endpoint;
  private final @Nullable SentinelWatcher watcher;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  SingleRoute(RedisUrl url, ClientSettings settings) {
    watcher = url.isSentinel() ? new SentinelWatcher(url, settings) : null;
    endpoint = watcher == null ? () -> url.hosts().get(0) : watcher.master();
    node = new Node(url.toString(), endpoint, this, settings);
  }

  void start() {
    if (watcher != null) {
      watcher.start();
    }
    node.start();
  }

  Endpoint endpoint() {
    return endpoint;
  }

  @Override
  public void submit(Command command) {
    node.submit(command);
  }

  /** Fails the command: a server that redirects belongs to a cluster, which this is not. */
  @Override
  public void redirect(Command command, String reply, Address by) {
    command.fail(Failure.REDIRECTED_TOO_OFTEN);
  }

  @Override
  public void refresh() {
    endpoint.refresh();
  }

  @Override
  public void onServerSwitch() {
    listeners.forEach(Runnable::run);
  }

  void addSwitchListener(Runnable listener) {
    listeners.add(listener);
  }

  @Override
  public boolean isUp() {
    return node.isUp();
  }

  @Override
  public long expire(long now, long mostNanos) {
    return node.expire(now, mostNanos);
  }

  @Override
  public void close() {
    if (watcher != null) {
      watcher.close();
    }
    node.close();
    node.awaitClosed();
  }
}
