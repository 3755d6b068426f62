package io.heatshield.ring;

import java.util.List;
import java.util.PriorityQueue;

/** Selects the keys with the highest counts, in a heap of bounded size. */
final class TopKeys {
  private final int limit;
  private final PriorityQueue<KeyCount> heap;

  TopKeys(int limit) {
    this.limit = limit;
    heap = new PriorityQueue<>(KeyCount.HOTTEST_FIRST.reversed());
  }

  void offer(Entry entry, long count) {
    KeyCount coldest = heap.size() < limit ? null : heap.peek();
    if (count == 0 || (coldest != null && count < coldest.count())) {
      return;
    }
    KeyCount key = KeyCount.of(entry, count);
    if (coldest == null) {
      heap.add(key);
    } else if (KeyCount.HOTTEST_FIRST.compare(key, coldest) < 0) {
      heap.poll();
      heap.add(key);
    }
  }

  List<KeyCount> sorted() {
    return heap.stream().sorted(KeyCount.HOTTEST_FIRST).toList();
  }
}
