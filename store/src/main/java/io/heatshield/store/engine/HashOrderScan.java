package io.heatshield.store.engine;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.store.call.Stages;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The scan of an engine that can only walk over all keys: pages in the order of a keyed hash, in
 * which the place of a key does not depend on other keys.
 */
final class HashOrderScan {
  /*
   * A cursor is the hash from which the next page continues, as an unsigned number. Keys with the
   * same hash are on one page. Callers see the order of the keys, so the hash must not be derivable
   * from it.
   */
  private static final KeyHash ORDER = KeyHash.sip13(HashSecret.random());

  private HashOrderScan() {}

  static CompletionStage<ScanPage> page(Engine engine, long cursor, int count) {
    NavigableMap<Long, List<byte[]>> first = firstFrom(engine, cursor, count);
    long next = first.size() < count ? 0 : first.lastKey() + 1;
    List<byte[]> keys = first.values().stream().flatMap(List::stream).toList();
    return Stages.then(engine.getAll(keys), values -> new ScanPage(next, found(keys, values)));
  }

  /** Returns the keys with the first hashes from a hash on. */
  private static NavigableMap<Long, List<byte[]>> firstFrom(Engine engine, long from, int count) {
    var first = new TreeMap<Long, List<byte[]>>(Long::compareUnsigned);
    engine.forEachKey(
        key -> {
          long hash = ORDER.hash(key);
          if (Long.compareUnsigned(hash, from) >= 0) {
            List<byte[]> same = first.computeIfAbsent(hash, h -> new ArrayList<>(1));
            if (same.stream().noneMatch(other -> Arrays.equals(other, key))) {
              same.add(key);
            }
            if (first.size() > count) {
              first.pollLastEntry();
            }
          }
          return true;
        });
    return first;
  }

  private static List<ScannedKey> found(List<byte[]> keys, List<@Nullable Value> values) {
    var found = new ArrayList<ScannedKey>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      Value value = values.get(i);
      if (value != null) {
        found.add(new ScannedKey(keys.get(i), value.type(), value.expiresAt()));
      }
    }
    return found;
  }
}
