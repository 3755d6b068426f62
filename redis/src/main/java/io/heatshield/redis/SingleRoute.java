package io.heatshield.redis;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** All keys lie on one server, or on the one that sentinels call the master. */
final class SingleRoute implements Route {
  private final Node node;
  private final Endpoint endpoint;
  private final @Nullable SentinelWatcher watcher;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  SingleRoute(RedisUrl url, Settings settings) {
    watcher = url.isSentinel() ? new SentinelWatcher(url, settings) : null;
    endpoint = watcher == null ? () -> url.hosts().get(0) : watcher.endpoint();
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

  /** A server that points elsewhere belongs to a cluster, which this is not. */
  @Override
  public void redirect(Command command, String reply, Address by) {
    command.failed(new RedisException(Failure.REDIRECTED_TOO_OFTEN));
  }

  @Override
  public void doubt() {
    endpoint.doubt();
  }

  @Override
  public void moved() {
    listeners.forEach(Runnable::run);
  }

  /** Calls a listener when commands go to another server than before. */
  void onMove(Runnable listener) {
    listeners.add(listener);
  }

  @Override
  public boolean isUp() {
    return node.isUp();
  }

  @Override
  public long expire(long now, long otherwise) {
    return node.expire(now, otherwise);
  }

  @Override
  public void close() {
    if (watcher != null) {
      watcher.close();
    }
    node.close();
    node.abandon();
  }
}
