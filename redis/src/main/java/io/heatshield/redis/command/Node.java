package io.heatshield.redis.command;

import io.heatshield.redis.connection.Endpoint;
import io.heatshield.redis.script.Failure;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** One server that holds data: its circuit breaker and its connections. */
public final class Node {
  /*
   * A key always uses the same lane, so two commands on one key are executed in the order in which
   * they were submitted.
   *
   * redirectedTo   volatile; set by a redirection, cleared by the thread that reads the slots
   */
  private final Breaker breaker;
  private final List<Lane> lanes;
  private volatile boolean redirectedTo;

  public Node(String name, Endpoint endpoint, Route route, ClientSettings settings) {
    breaker = settings.breaker();
    lanes =
        IntStream.rangeClosed(1, settings.connections())
            .mapToObj(i -> new Lane("redis " + name + " #" + i, endpoint, breaker, route, settings))
            .toList();
  }

  public Node start() {
    lanes.forEach(Lane::start);
    return this;
  }

  /** Appends a command to the queue of its key's lane, or fails it. */
  public void submit(Command command) {
    if (breaker.isOpen()) {
      command.giveUp(Failure.BREAKER_OPEN);
    } else if (!lane(command.key()).offer(command)) {
      command.giveUp(Failure.TOO_MANY_PENDING);
    }
  }

  /** Records that a command was redirected here, so that the node is kept although slotless. */
  public void markRedirectedTo() {
    redirectedTo = true;
  }

  /** Returns whether a command was redirected here since the last call. */
  public boolean getAndClearRedirectedTo() {
    boolean was = redirectedTo;
    redirectedTo = false;
    return was;
  }

  public boolean isUp() {
    return !breaker.isOpen() && lanes.stream().allMatch(Lane::isConnected);
  }

  /** Returns whether the node has been closed and no command is pending. */
  public boolean isTerminated() {
    return lanes.stream().allMatch(Lane::isTerminated);
  }

  /** Fails the commands that are past their deadline, as {@link Route#expire} does. */
  public long expire(long now, long mostNanos) {
    long next = mostNanos;
    for (Lane lane : lanes) {
      next = lane.expire(now, next);
    }
    return next;
  }

  /** Begins to close the connections. */
  public void close() {
    lanes.forEach(Lane::close);
  }

  /** Waits until all are closed and fails the pending commands; the timer must have stopped. */
  public void awaitClosed() {
    lanes.forEach(Lane::awaitClosed);
  }

  private Lane lane(byte[] key) {
    int hash = Arrays.hashCode(key);
    return lanes.get(Math.floorMod(hash ^ (hash >>> 16), lanes.size()));
  }
}
