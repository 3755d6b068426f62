package io.heatshield.store;

import io.heatshield.count.Counter;
import java.util.concurrent.atomic.LongAdder;

/** What a store has done so far; any thread may raise and read it. */
final class Tally {
  final Counter engineCalls = new Counter();
  final LongAdder absent = new LongAdder();
  final LongAdder falsePositives = new LongAdder();
  final LongAdder disagreements = new LongAdder();
  final LongAdder cacheHits = new LongAdder();
  final LongAdder flightsJoined = new LongAdder();
  final LongAdder clamped = new LongAdder();
  final LongAdder groups = new LongAdder();
  final LongAdder grouped = new LongAdder();
  final LongAdder routed = new LongAdder();
  final LongAdder expired = new LongAdder();
  final LongAdder rebuilds = new LongAdder();
}
