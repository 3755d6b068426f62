package io.heatshield.data.command.hot;

import io.heatshield.data.command.Command;
import io.heatshield.data.command.CommandTable;
import io.heatshield.insight.explain.KeyEffect;
import io.heatshield.insight.explain.KeyUses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * Why one key is hot: with which commands it is used, by whom, and how much that moves.
 *
 * <p>Uses and bytes are exact from the moment the key turned hot, once its callers have settled;
 * misses are those of commands that only read, outside transactions. Clients are put down by one
 * use in {@value #SAMPLE} on average, the largest {@value #CLIENTS} of them by Space-Saving, and
 * their number is estimated in {@value #BITS} bits, to within some percent up to about ten
 * thousand. About 4 KiB; any thread may call.
 */
public final class HotContext {
  static final int SAMPLE = 8;
  static final int CLIENTS = 16;
  static final int BITS = 2048;

  private final long hash;
  private final long firstHotMillis;
  private final AtomicReferenceArray<LongAdder> uses;
  private final LongAdder bytes = new LongAdder();
  private final DoubleAccumulator peak = new DoubleAccumulator(Math::max, 0);
  private final AtomicLongArray seen = new AtomicLongArray(BITS / Long.SIZE);
  private final Callers callers = new Callers(CLIENTS);
  private final LongAdder misses = new LongAdder();
  private final LongAdder throttled = new LongAdder();
  private final Map<String, Effect> effects = new ConcurrentHashMap<>();
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

  void seen(long nowNanos) {
    if (lastNanos != nowNanos) {
      lastNanos = nowNanos;
    }
  }

  /**
   * Hands a use to its caller, who puts it down with others, and at times puts down its caller.
   *
   * @param rate the key's, if it was just found
   */
  public void use(Caller caller, Command command, long size, double rate) {
    caller.use(this, command, size);
    if (caller.isSampled(SAMPLE)) {
      peak.accumulate(rate);
      mark(caller.labelHash());
      callers.count(caller, SAMPLE);
    }
  }

  /** Puts down uses by one command, and their bytes. */
  void add(Command command, long count, long size) {
    LongAdder adder = uses.get(command.index());
    if (adder == null) {
      uses.compareAndSet(command.index(), null, new LongAdder());
      adder = uses.get(command.index());
    }
    if (adder != null) {
      adder.add(count);
    }
    bytes.add(size);
  }

  /** Adds what was sent in answer, and that the clamp refused the use if it did. */
  public void answered(long size, boolean refused) {
    bytes.add(size);
    if (refused) {
      throttled.increment();
    }
  }

  /** Records that an action was applied to the key, or would have been. */
  void applied(String action, boolean enforced) {
    Effect effect = effects.get(action);
    if (effect == null) {
      effect = effects.computeIfAbsent(action, unused -> new Effect());
    }
    (enforced ? effect.acted : effect.wouldHaveActed).increment();
  }

  /** Returns how often each action was applied to the key. */
  public List<KeyEffect> effects() {
    return effects.entrySet().stream()
        .map(
            effect ->
                new KeyEffect(
                    effect.getKey(),
                    effect.getValue().acted.sum(),
                    effect.getValue().wouldHaveActed.sum()))
        .sorted(Comparator.comparing(KeyEffect::action))
        .toList();
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

  /** Returns the clients with the most uses, as name and host, largest first. */
  public List<Share> clients() {
    return callers.largest(allUses()).entrySet().stream()
        .map(client -> new Share(client.getKey(), client.getValue(), false))
        .toList();
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

  /** Returns all of this at once. */
  public KeyUses uses(CommandTable table) {
    List<Share> commands = commands(table);
    return new KeyUses(
        firstHotMillis,
        peakRate(),
        uses(commands, false),
        uses(commands, true),
        misses.sum(),
        throttled.sum(),
        bytes(),
        byName(commands),
        callers.largest(allUses()),
        distinctClients(),
        callers.busiest());
  }

  /** Returns the uses by commands that may change the key, or by the others. */
  static long uses(List<Share> commands, boolean write) {
    return commands.stream().filter(share -> share.write() == write).mapToLong(Share::uses).sum();
  }

  private long allUses() {
    return IntStream.range(0, uses.length())
        .mapToObj(uses::get)
        .filter(Objects::nonNull)
        .mapToLong(LongAdder::sum)
        .sum();
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

  private static final class Effect {
    private final LongAdder acted = new LongAdder();
    private final LongAdder wouldHaveActed = new LongAdder();
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
