package io.heatshield.rls.table;

import java.util.ArrayList;
import java.util.List;

/** One use of a client's key: what a table is touched with, and where in a request it stood. */
final class Use {
  final ClientTable table;
  final String key;
  final long hash;

  /** The values of the second dimension that came along. */
  final List<String> targets = new ArrayList<>(1);

  /** The places of the descriptors that carry the key. */
  final List<Integer> descriptors = new ArrayList<>(1);

  /** How many touches this is; 0 for a look that counts nothing. */
  long weight;

  Use(ClientTable table, String key, long weight) {
    this.table = table;
    this.key = key;
    this.weight = weight;
    hash = table.hash(key);
  }
}
