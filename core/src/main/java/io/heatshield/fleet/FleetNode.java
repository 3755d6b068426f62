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
 * One process's part in a fleet: it publishes what it counts, merges when it is its turn, and knows
 * the fleet's answer.
 *
 * <p>{@link #tick} is to be called {@value #TICKS} times in an interval, by one thread. A node
 * publishes once in an interval, and who has the turn merges twice in it; so a key that the fleet
 * has touched often enough is in every node's answer within two intervals, unless the node that has
 * the turn died meanwhile: then its turn ends within an interval, and another takes it. Two nodes
 * that both believe to have the turn do the same work twice and nothing wrong. What is due goes by
 * time and not by the number of ticks: what failed is tried again at the next, and ticks that were
 * late come after a publication and not before it.
 *
 * <p>Any thread may ask for the {@link #answer}.
 */
public final class FleetNode {
  /** How often a node ticks in an interval. */
  public static final int TICKS = 4;

  private static final int MERGES = 2;
  private static final int STALE_AFTER_INTERVALS = 2;

  /** How long a fleet may stand still, all of it or Redis, and find its numbers again. */
  private static final Duration STANDSTILL = Duration.ofSeconds(10);

  private static final String OTHER_SECRET =
      "the fleet counts by another secret than this node, which joins it when it is started again";
  private static final String FULL = "the fleet has its most nodes, " + FleetView.MAX_NODES;

  /** What is known at one moment. */
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
  private volatile String fault = "it was not asked yet";

  /**
   * Creates a node that has not published yet.
   *
   * @param name differs from that of every other process that ever ran
   * @param secret the one that this process hashes its keys with
   * @param source makes this node's snapshot of a number
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
    this.life = interval.multipliedBy(FleetMerger.LIFE_IN_INTERVALS).plus(STANDSTILL);
    this.publishAt = ticker.nanos();
    this.mergeAt = publishAt;
    this.known = new Known(null, publishAt, "");
  }

  /** Does what is due. An exchange that does not answer is asked again at the next tick. */
  public void tick() {
    long now = ticker.nanos();
    try {
      if (now - publishAt >= 0) {
        publish();
        publishAt = now + due(1);
      }
      if (!outside) {
        learn(now);
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

  /** Returns what is known now. */
  public FleetAnswer answer() {
    Known now = known;
    long age = Math.max(0, TimeUnit.NANOSECONDS.toMillis(ticker.nanos() - now.nanos()));
    if (!now.refused().isEmpty()) {
      return new FleetAnswer(null, age, now.refused());
    }
    if (now.view() == null || age > STALE_AFTER_INTERVALS * interval.toMillis()) {
      String lacking = fault;
      if (lacking.isEmpty()) {
        lacking = now.view() == null ? "no view was made yet" : "the last view is too old";
      }
      return new FleetAnswer(null, age, lacking);
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

  private void learn(long now) {
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
      } catch (RefusedException e) {
        known = new Known(null, ticker.nanos(), "the fleet's view is refused: " + e.getMessage());
      }
      seen = last;
    }
    if (mine) {
      if (view != null) {
        merger.adopt(view);
        if (!view.merger().equals(name)) {
          // What the node before has shown was not found first by this one.
          listener.viewed(view);
        }
      }
      merge();
      merging = true;
      mergeAt = now + due(MERGES);
    } else if (view != null) {
      take(view);
    }
  }

  private void merge() {
    Map<String, Long> roster = exchange.roster();
    if (!roster.containsKey(name)) {
      merger.rosterLost();
    }
    merger.look(roster.keySet());
    merger.take(name, sequence, published);
    List<String> lacking =
        roster.entrySet().stream()
            .filter(node -> merger.lacks(node.getKey(), node.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    Map<String, byte[]> read = exchange.read(lacking);
    for (String node : lacking) {
      byte[] snapshot = read.get(node);
      if (snapshot == null) {
        merger.gone(node);
      } else {
        merger.take(node, roster.getOrDefault(node, 0L), snapshot);
      }
    }
    FleetView view = merger.merge();
    byte[] shown = view.pack(fingerprint);
    exchange.show(shown, life);
    seen = shown;
    exchange.forget(merger.longMissing());
    take(view);
  }

  /**
   * Returns when what is done so often in an interval is due again, half a tick before its time.
   */
  private long due(int times) {
    return interval.toNanos() / times - interval.toNanos() / TICKS / 2;
  }

  private void take(FleetView view) {
    known = new Known(view, ticker.nanos(), "");
    listener.viewed(view);
  }
}
