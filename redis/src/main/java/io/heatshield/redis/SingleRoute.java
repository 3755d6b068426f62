package io.heatshield.redis;

/** All keys lie on one server, or on the one that sentinels call the master. */
final class SingleRoute implements Route {
  private final Node node;
  private final Endpoint endpoint;

  SingleRoute(RedisUrl url, Settings settings) {
    endpoint =
        url.kind() == RedisUrl.Kind.SENTINEL
            ? Endpoint.watchedBy(url.hosts(), url.master(), settings.sentinels())
            : () -> url.hosts().get(0);
    node = new Node(url.toString(), endpoint, this, settings);
  }

  void start() {
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

  /** Lanes look for the server again whenever they connect. */
  @Override
  public void doubt() {}

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
    node.close();
    node.abandon();
  }
}
