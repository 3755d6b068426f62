package io.heatshield.fleet;

import io.heatshield.testkit.time.FakeTicker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An exchange in memory with a fake ticker, which can lose its data or ignore snapshots. */
final class MemoryExchange implements FleetExchange {
  /** A stored value and its expiry time. */
  private static final class Note {
    private final byte[] bytes;
    private final long end;

    Note(byte[] bytes, long end) {
      this.bytes = bytes;
      this.end = end;
    }
  }

  private final FakeTicker ticker;
  private final Map<String, Note> notes = new HashMap<>();
  private final Map<String, Long> roster = new LinkedHashMap<>();
  boolean lost;
  boolean deaf;
  int most = FleetView.MAX_NODES;
  long bytesIn;

  MemoryExchange(FakeTicker ticker) {
    this.ticker = ticker;
  }

  @Override
  public byte[] secret(byte[] proposal) {
    byte[] kept = get("secret");
    if (kept == null) {
      put("secret", proposal, Duration.ofDays(1000));
    }
    return kept == null ? proposal : kept;
  }

  @Override
  public Place publish(String node, long sequence, byte[] snapshot, Duration life) {
    if (deaf) {
      throw new FleetExchangeException("the exchange takes no snapshot");
    }
    put("node " + node, snapshot, life);
    if (!roster.containsKey(node) && roster.size() >= most) {
      return Place.NONE;
    }
    return roster.put(node, sequence) == null ? Place.NEW : Place.KEPT;
  }

  @Override
  public void forget(Collection<String> nodes) {
    answer();
    nodes.forEach(node -> notes.remove("node " + node));
    roster.keySet().removeAll(nodes);
  }

  @Override
  public Map<String, Long> roster() {
    answer();
    return new HashMap<>(roster);
  }

  @Override
  public Map<String, byte[]> read(Collection<String> nodes) {
    var read = new HashMap<String, byte[]>();
    for (String node : nodes) {
      byte[] note = get("node " + node);
      if (note != null) {
        read.put(node, note);
      }
    }
    return read;
  }

  @Override
  public String turn(String node, Duration life) {
    byte[] holder = get("turn");
    if (holder == null || Arrays.equals(holder, bytes(node))) {
      put("turn", bytes(node), life);
      return node;
    }
    return new String(holder, StandardCharsets.UTF_8);
  }

  @Override
  public void show(byte[] view, Duration life) {
    put("view", view, life);
  }

  @Override
  public byte @Nullable [] view(byte @Nullable [] known) {
    return get("view");
  }

  /** Loses all data, as Redis does after FLUSHALL. */
  void flush() {
    notes.clear();
    roster.clear();
  }

  void replaceSecret(byte[] secret) {
    put("secret", secret, Duration.ofDays(1000));
  }

  /** Makes a node's last snapshot one that is not in the roster. */
  void unlist(String node) {
    roster.computeIfPresent(node, (name, sequence) -> sequence - 1);
  }

  /** Returns the nodes whose snapshots have not expired. */
  boolean holds(String node) {
    return roster.containsKey(node) && get("node " + node) != null;
  }

  void put(String name, byte[] bytes, Duration life) {
    answer();
    bytesIn += bytes.length;
    notes.put(name, new Note(bytes, ticker.nanos() + life.toNanos()));
  }

  private byte @Nullable [] get(String name) {
    answer();
    Note note = notes.get(name);
    return note == null || ticker.nanos() - note.end >= 0 ? null : note.bytes;
  }

  private void answer() {
    if (lost) {
      throw new FleetExchangeException("the exchange does not answer");
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
