package io.heatshield.data.command.hot;

import io.heatshield.data.command.Command;
import io.heatshield.insight.explain.KeyEffect;
import io.heatshield.insight.explain.KeyUses;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * The statistics of one hot key: the commands and clients that use it, and the bytes they transfer.
 *
 * <p>Uses and bytes are exact from the moment the key turned hot. Misses are those of commands that
 * only read, outside transactions. Clients are counted by one use in {@value #SAMPLE} on average,
 * the largest {@value #CLIENTS} of them by Space-Saving. Their number is estimated in {@value
 * #BITS} bits, to within a few percent up to about ten thousand. About 4 KiB; any thread may call.
 */
public final class HotContext {
  static final int SAMPLE = 8;
  static final int CLIENTS = 16;
  static final int BITS = 2048;

  private final long hash;
  private final long firstHotMillis;
  private final Map<Command, LongAdder> uses = new ConcurrentHashMap<>();
  private final LongAdder bytes = new LongAdder();
  private final DoubleAccumulator peak = new DoubleAccumulator(Math::max, 0);
  private final AtomicLongArray seen = new AtomicLongArray(BITS / Long.SIZE);
  private final TopCallers callers = new TopCallers(CLIENTS);
  private final LongAdder misses = new LongAdder();
  private final LongAdder throttled = new LongAdder();
  private final Map<String, Effect> effects = new ConcurrentHashMap<>();
  private volatile long lastNanos;

  HotContext(long hash, long firstHotMillis, long nowNanos) {
    this.hash = hash;
    this.firstHotMillis = firstHotMillis;
    this.lastNanos = nowNanos;
  }

  long hash() {
    return hash;
  }

  long lastNanos() {
    return lastNanos;
  }

  void seen(long nowNanos) {
    if (lastNanos != nowNanos) {
      lastNanos = nowNanos;
    }
  }

  /**
   * Counts a use, and its client if the use is sampled.
   *
   * @param size the bytes of the command
   * @param rate the key's rate, or 0 if it is not known
   */
  public void use(Caller caller, Command command, long size, double rate) {
    LongAdder count = uses.get(command);
    if (count == null) {
      count = uses.computeIfAbsent(command, unused -> new LongAdder());
    }
    count.increment();
    bytes.add(size);
    if (caller.isSampled(SAMPLE)) {
      peak.accumulate(rate);
      mark(caller.labelHash());
      callers.count(caller, SAMPLE);
    }
  }

  /** Counts the bytes of a reply, and whether the use was throttled. */
  public void answered(long size, boolean refused) {
    bytes.add(size);
    if (refused) {
      throttled.increment();
    }
  }

  /** Counts a read that found nothing. */
  public void missed() {
    misses.increment();
  }

  /** Counts an action that was applied to the key, or would have been. */
  void applied(String action, boolean enforced) {
    Effect effect = effects.get(action);
    if (effect == null) {
      effect = effects.computeIfAbsent(action, unused -> new Effect());
    }
    (enforced ? effect.applied : effect.wouldHaveApplied).increment();
  }

  /** Returns how often each action was applied to the key. */
  public List<KeyEffect> effects() {
    return effects.entrySet().stream()
        .map(
            it ->
                new KeyEffect(
                    it.getKey(), it.getValue().applied.sum(), it.getValue().wouldHaveApplied.sum()))
        .sorted(Comparator.comparing(KeyEffect::action))
        .toList();
  }

  /** Returns the uses by each command, largest first. */
  public List<Share> commands() {
    // An upstream that described its commands again has two commands of one name.
    var byName = new HashMap<String, Share>();
    uses.forEach(
        (command, count) ->
            byName.merge(
                command.name(),
                new Share(command.name(), count.sum(), command.isWrite()),
                (one, other) -> new Share(one.name, one.uses + other.uses, one.write)));
    return byName.values().stream()
        .sorted(Comparator.comparingLong(Share::uses).reversed().thenComparing(Share::name))
        .toList();
  }

  /** Returns the clients with the most uses, as name and host, largest first. */
  public List<Share> clients() {
    return topClients().entrySet().stream()
        .map(client -> new Share(client.getKey(), client.getValue(), false))
        .toList();
  }

  /** Returns the estimated number of clients that used the key. */
  public long distinctClients() {
    int zeros = 0;
    for (int i = 0; i < seen.length(); i++) {
      zeros += Long.SIZE - Long.bitCount(seen.get(i));
    }
    return Math.round(BITS * Math.log((double) BITS / Math.max(1, zeros)));
  }

  /** Returns the bytes of the commands and of their replies. */
  public long bytes() {
    return bytes.sum();
  }

  /** Returns when the key was first seen hot, in Unix milliseconds. */
  public long firstHotMillis() {
    return firstHotMillis;
  }

  /** Returns the highest rate that was sampled. */
  public double peakRate() {
    return peak.get();
  }

  /** Returns all statistics. */
  public KeyUses uses() {
    List<Share> commands = commands();
    var byName = new LinkedHashMap<String, Long>();
    commands.forEach(share -> byName.put(share.name(), share.uses()));
    return new KeyUses(
        firstHotMillis,
        peakRate(),
        uses(commands, false),
        uses(commands, true),
        misses.sum(),
        throttled.sum(),
        bytes(),
        byName,
        topClients(),
        distinctClients(),
        callers.busiest());
  }

  /** Returns the uses by commands that write, or by the others. */
  static long uses(List<Share> commands, boolean write) {
    return commands.stream().filter(share -> share.write() == write).mapToLong(Share::uses).sum();
  }

  private Map<String, Long> topClients() {
    return callers.largest(uses.values().stream().mapToLong(LongAdder::sum).sum());
  }

  private void mark(int labelHash) {
    long mixed = labelHash * 0x9e3779b97f4a7c15L;
    int bit = (int) (mixed >>> (Long.SIZE - 11));
    long mask = 1L << bit;
    int word = bit / Long.SIZE;
    if ((seen.get(word) & mask) == 0) {
      seen.getAndUpdate(word, bits -> bits | mask);
    }
  }

  private static final class Effect {
    private final LongAdder applied = new LongAdder();
    private final LongAdder wouldHaveApplied = new LongAdder();
  }

  /**
   * A part of the uses.
   *
   * @param name of the command or the client
   * @param uses the number of uses, estimated for a client
   * @param write whether the command may change the key
   */
  public record Share(String name, long uses, boolean write) {}
}
