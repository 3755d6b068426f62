package io.heatshield.rls.table;

import java.util.ArrayList;
import java.util.List;

/** One use of a client's key in a table, and its descriptors in the request. */
final class ClientUse {
  final ClientTable table;
  final String key;
  final long hash;

  /** The values whose distinct number the table counts. */
  final List<String> targets = new ArrayList<>(1);

  /** The indexes of the descriptors that contain the key. */
  final List<Integer> descriptors = new ArrayList<>(1);

  /** The number of touches; 0 only checks for a block. */
  long weight;

  ClientUse(ClientTable table, String key, long weight) {
    this.table = table;
    this.key = key;
    this.weight = weight;
    hash = table.hash(key);
  }
}
