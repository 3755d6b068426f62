package io.heatshield.redis;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** One server that holds data: its breaker, and a few lanes over which keys are spread. */
final class Node {
  /*
   * A key always takes the same lane, so two commands on one key are executed in the order in which
   * they were submitted.
   *
   * pointedTo   set by who is redirected, cleared by who looks for owners: volatile
   */
  private final Breaker breaker;
  private final List<Lane> lanes;
  private volatile boolean pointedTo;

  Node(String name, Endpoint endpoint, Route route, Settings settings) {
    breaker = settings.breaker();
    lanes =
        IntStream.rangeClosed(1, settings.connections())
            .mapToObj(i -> new Lane("redis " + name + " #" + i, endpoint, breaker, route, settings))
            .toList();
  }

  Node start() {
    lanes.forEach(Lane::start);
    return this;
  }

  void submit(Command command) {
    if (breaker.isOpen()) {
      command.giveUp(Failure.BREAKER_OPEN);
    } else if (!lane(command.key).offer(command)) {
      command.giveUp(Failure.TOO_MANY_PENDING);
    }
  }

  /** Takes note that a server points here for a key of which this owns no slot, or not yet. */
  void pointTo() {
    if (!pointedTo) {
      pointedTo = true;
    }
  }

  /** Returns whether somebody pointed here since this was last asked. */
  boolean wasPointedTo() {
    boolean was = pointedTo;
    pointedTo = false;
    return was;
  }

  boolean isUp() {
    return !breaker.isOpen() && lanes.stream().allMatch(Lane::isConnected);
  }

  /** Returns whether it has ended and nothing waits any more. */
  boolean isQuiet() {
    return lanes.stream().allMatch(Lane::isQuiet);
  }

  long expire(long now, long otherwise) {
    long next = otherwise;
    for (Lane lane : lanes) {
      next = lane.expire(now, next);
    }
    return next;
  }

  /** Begins to end the lanes. */
  void close() {
    lanes.forEach(Lane::close);
  }

  /** Waits for the end of the lanes and fails what still waits; the timer must not run any more. */
  void abandon() {
    lanes.forEach(Lane::abandon);
  }

  private Lane lane(byte[] key) {
    int hash = Arrays.hashCode(key);
    return lanes.get(Math.floorMod(hash ^ (hash >>> 16), lanes.size()));
  }
}
