package io.heatshield.fleet;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.time.Ticker;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One node of a fleet: it publishes its counts, merges all counts when it has the turn, and
 * provides the fleet's view.
 *
 * <p>One thread must call {@link #tick} {@value #TICKS} times per interval. A node publishes once
 * per interval, and the node with the turn merges twice; so a key that the fleet has touched often
 * enough is in every node's view within two intervals. If the node with the turn dies, its turn
 * expires within an interval and another node takes it. If two nodes act as if each had the turn,
 * they only do the same work twice. Work is due at a time, not after a number of ticks, and failed
 * work is retried at the next tick.
 *
 * <p>Any thread may call {@link #answer}.
 */
public final class FleetNode {
  /** The number of ticks per interval. */
  public static final int TICKS = 4;

  private static final int MERGES = 2;
  private static final int STALE_AFTER_INTERVALS = 2;

  /** The time for which the fleet or Redis may pause without losing snapshots. */
  private static final Duration MAX_PAUSE = Duration.ofSeconds(10);

  private static final String OTHER_SECRET =
      "the fleet uses another secret than this node; restart the node to join it";
  private static final String FULL =
      "the fleet has the maximum number of nodes, " + FleetView.MAX_NODES;

  private record Known(@Nullable FleetView view, long nanos, String refused) {}

  private final String name;
  private final byte[] secret;
  private final long fingerprint;
  private final Duration interval;
  private final Ticker ticker;
  private final FleetExchange exchange;
  private final LongFunction<NodeSnapshot> source;
  private final FleetListener listener;
  private final FleetMerger merger;
  private final Duration life;
  private long publishAt;
  private long mergeAt;
  private long sequence;
  private byte[] published = {};
  private boolean merging;
  private boolean otherSecret;
  private boolean listed;
  private boolean outside;
  private byte @Nullable [] seen;
  private volatile Known known;
  private volatile String fault = "the fleet has not been contacted yet";

  /**
   * Creates a node that has not published yet.
   *
   * @param name unique for every process
   * @param secret the secret that this process hashes its keys with
   * @param source returns this node's snapshot with the given number
   */
  public FleetNode(
      String name,
      HashSecret secret,
      Duration interval,
      Ticker ticker,
      FleetExchange exchange,
      LongFunction<NodeSnapshot> source,
      FleetListener listener) {
    this.name = name;
    this.secret = secret.toBytes();
    this.fingerprint = KeyHash.fast(secret).fingerprint();
    this.interval = interval;
    this.ticker = ticker;
    this.exchange = exchange;
    this.source = source;
    this.listener = listener;
    this.merger = new FleetMerger(name, fingerprint, interval, ticker);
    this.life = interval.multipliedBy(FleetMerger.LIFE_IN_INTERVALS).plus(MAX_PAUSE);
    this.publishAt = ticker.nanos();
    this.mergeAt = publishAt;
    this.known = new Known(null, publishAt, "");
  }

  /** Performs the work that is due. A failed exchange is retried at the next tick. */
  public void tick() {
    long now = ticker.nanos();
    try {
      if (now - publishAt >= 0) {
        publish();
        publishAt = now + due(1);
      }
      if (!outside) {
        updateView(now);
      }
      fault = "";
    } catch (FleetExchangeException e) {
      fault = String.valueOf(e.getMessage());
    }
  }

  /** Removes this node from the exchange, so that it is not reported as missing. */
  public void leave() {
    try {
      exchange.forget(List.of(name));
    } catch (FleetExchangeException e) {
      fault = String.valueOf(e.getMessage());
    }
  }

  /** Returns the current view, or why there is none. */
  public FleetAnswer answer() {
    Known now = known;
    long age = Math.max(0, TimeUnit.NANOSECONDS.toMillis(ticker.nanos() - now.nanos()));
    if (!now.refused().isEmpty()) {
      return new FleetAnswer(null, age, now.refused());
    }
    if (now.view() == null || age > STALE_AFTER_INTERVALS * interval.toMillis()) {
      String reason = fault;
      if (reason.isEmpty()) {
        reason = now.view() == null ? "there is no view yet" : "the last view is too old";
      }
      return new FleetAnswer(null, age, reason);
    }
    return new FleetAnswer(now.view(), age, "");
  }

  /** Returns this node's name. */
  public String name() {
    return name;
  }

  private void publish() {
    byte[] fleet = exchange.secret(secret);
    boolean other = !Arrays.equals(fleet, secret);
    if (other && !otherSecret) {
      listener.otherSecret(fleet);
    }
    otherSecret = other;
    sequence++;
    byte[] snapshot = source.apply(sequence).pack(fingerprint);
    FleetExchange.Place place = exchange.publish(name, sequence, snapshot, life);
    if (place == FleetExchange.Place.NEW && listed) {
      merger.rosterLost();
    }
    listed = place != FleetExchange.Place.NONE;
    published = snapshot;
    outside = other || !listed;
    if (outside) {
      known = new Known(null, ticker.nanos(), other ? OTHER_SECRET : FULL);
    } else if (!known.refused().isEmpty()) {
      seen = null;
    }
  }

  private void updateView(long now) {
    boolean mine = exchange.turn(name, interval).equals(name);
    if (mine && merging) {
      if (now - mergeAt >= 0) {
        merge();
        mergeAt = now + due(MERGES);
      }
      return;
    }
    merging = false;
    byte[] last = exchange.view(seen);
    if (last == null && mine) {
      last = seen;
    }
    FleetView view = null;
    if (last != null && (mine || last != seen)) {
      try {
        view = FleetView.unpack(last, fingerprint);
      } catch (InvalidFleetDataException e) {
        known = new Known(null, ticker.nanos(), "the fleet's view is rejected: " + e.getMessage());
      }
      seen = last;
    }
    if (mine) {
      if (view != null) {
        merger.adopt(view);
        if (!view.merger().equals(name)) {
          // The previous merger has already reported what is in its view.
          listener.viewed(view);
        }
      }
      merge();
      merging = true;
      mergeAt = now + due(MERGES);
    } else if (view != null) {
      accept(view);
    }
  }

  private void merge() {
    Map<String, Long> roster = exchange.roster();
    if (!roster.containsKey(name)) {
      merger.rosterLost();
    }
    merger.rosterRead(roster.keySet());
    merger.accept(name, sequence, published);
    List<String> needed =
        roster.entrySet().stream()
            .filter(node -> merger.needs(node.getKey(), node.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    Map<String, byte[]> read = exchange.read(needed);
    for (String node : needed) {
      byte[] snapshot = read.get(node);
      if (snapshot == null) {
        merger.expired(node);
      } else {
        merger.accept(node, roster.getOrDefault(node, 0L), snapshot);
      }
    }
    FleetView view = merger.merge();
    byte[] shown = view.pack(fingerprint);
    exchange.show(shown, life);
    seen = shown;
    exchange.forget(merger.longMissing());
    accept(view);
  }

  /** Returns the delay of work that is done this often per interval, minus half a tick. */
  private long due(int times) {
    return interval.toNanos() / times - interval.toNanos() / TICKS / 2;
  }

  private void accept(FleetView view) {
    known = new Known(view, ticker.nanos(), "");
    listener.viewed(view);
  }
}
