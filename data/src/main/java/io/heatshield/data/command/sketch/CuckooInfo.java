package io.heatshield.data.command.sketch;

import io.heatshield.data.command.KeyCall;
import io.heatshield.data.command.MapReply;
import io.heatshield.redisbloom.CuckooShape;
import io.heatshield.redisbloom.LayeredCuckoo;
import io.heatshield.resp.Reply;
import java.util.Locale;

/** CF.INFO and CF.DEBUG, which describe a filter as RedisBloom would. */
final class CuckooInfo {
  // The size that RedisBloom reports for a filter without slots.
  private static final long NOMINAL_BYTES = 56;

  private CuckooInfo() {}

  static Reply info(KeyCall call) {
    LayeredCuckoo filter = CuckooCommands.find(call, CuckooCommands.NOT_FOUND);
    CuckooShape shape = filter.shape();
    return MapReply.withStatusNames()
        .add("Size", size(filter))
        .add("Number of buckets", buckets(shape))
        .add("Number of filters", filters(filter))
        .add("Number of items inserted", filter.size())
        .add("Number of items deleted", filter.deleted())
        .add("Bucket size", shape.bucketSize())
        .add("Expansion rate", shape.expansion())
        .add("Max iterations", shape.maxIterations())
        .build();
  }

  static Reply debug(KeyCall call) {
    LayeredCuckoo filter = CuckooCommands.find(call, CuckooCommands.NOT_FOUND);
    CuckooShape shape = filter.shape();
    return Reply.bulk(
        String.format(
            Locale.ROOT,
            "bktsize:%d buckets:%d items:%d deletes:%d filters:%d max_iterations:%d expansion:%d",
            shape.bucketSize(),
            buckets(shape),
            filter.size(),
            filter.deleted(),
            filters(filter),
            shape.maxIterations(),
            shape.expansion()));
  }

  /** Returns the size that RedisBloom would report; MEMORY USAGE reports ours. */
  private static long size(LayeredCuckoo filter) {
    CuckooShape shape = filter.shape();
    double slots = buckets(shape) * shape.bucketSize();
    double filters = filters(filter);
    double factor = shape.expansion();
    double times = factor <= 1 ? filters : (Math.pow(factor, filters) - 1) / (factor - 1);
    return NOMINAL_BYTES + (long) (slots * times);
  }

  /** Returns the number of sub-filters that RedisBloom would need for all items ever added. */
  private static long filters(LayeredCuckoo filter) {
    CuckooShape shape = filter.shape();
    long items = Math.min(filter.size() + filter.deleted(), filter.capacity());
    long first = shape.capacity();
    if (shape.expansion() <= 1) {
      return Math.max(1, (items + first - 1) / first);
    }
    long filters = 1;
    for (double room = first; room < items; room = room * shape.expansion() + first) {
      filters++;
    }
    return filters;
  }

  private static long buckets(CuckooShape shape) {
    long least = Math.max(1, shape.capacity() / shape.bucketSize());
    return least == 1 ? 1 : Long.highestOneBit(least - 1) << 1;
  }
}
