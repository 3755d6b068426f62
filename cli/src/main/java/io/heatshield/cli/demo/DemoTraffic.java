package io.heatshield.cli.demo;

import io.heatshield.time.Ticker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * A stream of touches by Zipf's law over 100,000 keys, in which a different key is the hottest
 * every half minute.
 *
 * <p>The touches are the same for the same seed. Each call of {@link #catchUp} hands over those
 * that are due by the ticker, at most one second's worth: what a longer pause held back is not made
 * up for. One thread calls.
 */
public final class DemoTraffic {
  /*
   * Keys stand in a fixed order, and a key's rank is its place. In each turn the hottest rank trades places with one
   * drawn cold rank, so one unknown key burns while every other keeps its rate; the next turn undoes the trade.
   */

  /** The scope of every touch. */
  public static final String SCOPE = "demo";

  static final int KEYS = 100_000;
  static final int TOUCHES_PER_SECOND = 20_000;
  static final Duration TURN = Duration.ofSeconds(30);

  private static final double EXPONENT = 1.0;
  private static final int FIRST_COLD_RANK = 1_000;
  private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();

  private final Ticker ticker;
  private final TouchSink sink;
  private final SplittableRandom turns;
  private final Zipf ranks;
  private final byte[][] keys = new byte[KEYS][];

  private final long startNanos;
  private long handedOver;
  private long turn = -1;
  private int hotKey;

  /** Creates the traffic; its first touch is due as soon as the ticker moves. */
  public DemoTraffic(Ticker ticker, long seed, TouchSink sink) {
    this.ticker = ticker;
    this.sink = sink;
    var random = new SplittableRandom(seed);
    turns = random.split();
    ranks = new Zipf(KEYS, EXPONENT, random.split());
    for (int i = 0; i < KEYS; i++) {
      keys[i] = ("user:" + i).getBytes(StandardCharsets.US_ASCII);
    }
    startNanos = ticker.nanos();
  }

  /** Hands over the touches that are due and returns their number. */
  public int catchUp() {
    long elapsedNanos = ticker.nanos() - startNanos;
    moveTo(elapsedNanos / TURN.toNanos());
    long seconds = elapsedNanos / SECOND_NANOS;
    long due =
        seconds * TOUCHES_PER_SECOND
            + elapsedNanos % SECOND_NANOS * TOUCHES_PER_SECOND / SECOND_NANOS;
    int now = (int) Math.min(due - handedOver, TOUCHES_PER_SECOND);
    for (int i = 0; i < now; i++) {
      sink.touch(SCOPE, keys[keyAt(ranks.next())]);
    }
    handedOver = due;
    return now;
  }

  private void moveTo(long newTurn) {
    while (turn < newTurn) {
      hotKey = turns.nextInt(FIRST_COLD_RANK, KEYS);
      turn++;
    }
  }

  private int keyAt(int rank) {
    if (rank == 0) {
      return hotKey;
    }
    return rank == hotKey ? 0 : rank;
  }
}
