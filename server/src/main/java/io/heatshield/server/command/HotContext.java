package io.heatshield.server.command;

import io.heatshield.detect.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * Why one key is hot: with which commands it is used, by whom, and how much that moves.
 *
 * <p>Uses and bytes are exact from the moment the key turned hot. Clients are put down by one use
 * in {@value #SAMPLE}, the largest {@value #CLIENTS} of them by Space-Saving, and their number is
 * estimated in {@value #BITS} bits, to within some percent up to about ten thousand. About 3 KiB;
 * any thread may call.
 */
public final class HotContext {
  static final int SAMPLE = 8;
  static final int CLIENTS = 16;
  static final int BITS = 2048;

  private final long hash;
  private final long firstHotMillis;
  private final AtomicReferenceArray<LongAdder> uses;
  private final LongAdder bytes = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final DoubleAccumulator peak = new DoubleAccumulator(Math::max, 0);
  private final AtomicLongArray seen = new AtomicLongArray(BITS / Long.SIZE);
  private final String[] labels = new String[CLIENTS];
  private final long[] counts = new long[CLIENTS];
  private volatile long lastNanos;

  HotContext(long hash, int commands, long firstHotMillis, long nowNanos) {
    this.hash = hash;
    this.uses = new AtomicReferenceArray<>(commands);
    this.firstHotMillis = firstHotMillis;
    this.lastNanos = nowNanos;
  }

  long hash() {
    return hash;
  }

  long lastNanos() {
    return lastNanos;
  }

  /** Puts down one use. */
  void use(Caller caller, Command command, Verdict verdict, long size, long nowNanos) {
    LongAdder adder = uses.get(command.index());
    if (adder == null) {
      uses.compareAndSet(command.index(), null, new LongAdder());
      adder = uses.get(command.index());
    }
    if (adder != null) {
      adder.increment();
    }
    bytes.add(size);
    if (lastNanos != nowNanos) {
      lastNanos = nowNanos;
    }
    if (caller.isSampled(SAMPLE)) {
      peak.accumulate(verdict.rate());
      mark(caller.labelHash());
      count(caller.label());
    }
  }

  /** Adds what was sent in answer. */
  public void answered(long size) {
    bytes.add(size);
  }

  /** Puts down that a read found nothing. */
  public void missed() {
    misses.increment();
  }

  /** Returns the uses by each command of a table, largest first. */
  public List<Share> commands(CommandTable table) {
    var shares = new ArrayList<Share>();
    for (Command command : table.everything()) {
      LongAdder adder = uses.get(command.index());
      if (adder != null) {
        shares.add(new Share(command.name(), adder.sum(), command.isWrite()));
      }
    }
    shares.sort(Comparator.comparingLong(Share::uses).reversed());
    return shares;
  }

  /** Returns the clients with the most uses, as name and host, largest first; never too few. */
  public synchronized List<Share> clients() {
    var shares = new ArrayList<Share>();
    for (int i = 0; i < CLIENTS; i++) {
      if (counts[i] > 0) {
        shares.add(new Share(labels[i], counts[i], false));
      }
    }
    shares.sort(Comparator.comparingLong(Share::uses).reversed());
    return shares;
  }

  /** Returns about how many different clients used the key. */
  public long distinctClients() {
    int zeros = 0;
    for (int i = 0; i < seen.length(); i++) {
      zeros += Long.SIZE - Long.bitCount(seen.get(i));
    }
    return Math.round(BITS * Math.log((double) BITS / Math.max(1, zeros)));
  }

  /** Returns the bytes of the commands and of their answers. */
  public long bytes() {
    return bytes.sum();
  }

  /** Returns when the key was first seen hot, in Unix milliseconds. */
  public long firstHotMillis() {
    return firstHotMillis;
  }

  /** Returns the highest rate that was seen. */
  public double peakRate() {
    return peak.get();
  }

  /** Returns all of this by name, as JSON is made from. */
  public Map<String, Object> view(CommandTable table) {
    List<Share> commands = commands(table);
    var view = new LinkedHashMap<String, Object>();
    view.put("first_hot", Instant.ofEpochMilli(firstHotMillis).toString());
    view.put("peak_rate", peakRate());
    view.put("reads", uses(commands, false));
    view.put("writes", uses(commands, true));
    if (misses.sum() > 0) {
      view.put("misses", misses.sum());
    }
    view.put("bytes", bytes());
    view.put("commands", byName(commands));
    view.put("clients", byName(clients()));
    view.put("distinct_clients", distinctClients());
    return view;
  }

  /** Returns the uses by commands that may change the key, or by the others. */
  static long uses(List<Share> commands, boolean write) {
    return commands.stream().filter(share -> share.write() == write).mapToLong(Share::uses).sum();
  }

  private static Map<String, Long> byName(List<Share> shares) {
    var map = new LinkedHashMap<String, Long>();
    shares.forEach(share -> map.put(share.name(), share.uses()));
    return map;
  }

  private void mark(int labelHash) {
    long mixed = labelHash * 0x9e3779b97f4a7c15L;
    int bit = (int) (mixed >>> (Long.SIZE - 11));
    long mask = 1L << bit;
    int word = bit / Long.SIZE;
    long before = seen.get(word);
    while ((before & mask) == 0 && !seen.compareAndSet(word, before, before | mask)) {
      before = seen.get(word);
    }
  }

  private synchronized void count(String label) {
    int least = 0;
    for (int i = 0; i < CLIENTS; i++) {
      if (label.equals(labels[i])) {
        counts[i] += SAMPLE;
        return;
      }
      if (counts[i] < counts[least]) {
        least = i;
      }
    }
    labels[least] = label;
    counts[least] += SAMPLE;
  }

  /**
   * A part of the uses.
   *
   * @param name of the command or the client
   * @param uses how many, for a client about how many
   * @param write whether they may change the key
   */
  public record Share(String name, long uses, boolean write) {}
}
