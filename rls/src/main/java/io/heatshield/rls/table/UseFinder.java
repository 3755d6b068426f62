package io.heatshield.rls.table;

import io.heatshield.limit.Descriptor;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.LimitRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the uses of clients in a request, for each table.
 *
 * <p>A request is one use of every distinct key in it, however many descriptors contain that key,
 * with the weight of the heaviest of them. Of several entries with the same name in a descriptor
 * the first is the key. A target belongs to the key in its own descriptor, or to the only key of
 * the request. So the work for each table is bounded by the entries of the request.
 */
final class UseFinder {
  private UseFinder() {}

  static List<ClientUse> uses(List<ClientTable> tables, LimitRequest request) {
    var uses = new ArrayList<ClientUse>(tables.size());
    for (ClientTable table : tables) {
      addUses(table, request, uses);
    }
    return uses;
  }

  private static void addUses(ClientTable table, LimitRequest request, List<ClientUse> uses) {
    var byKey = new LinkedHashMap<String, ClientUse>();
    List<Descriptor> descriptors = request.descriptors();
    for (int i = 0; i < descriptors.size(); i++) {
      Descriptor descriptor = descriptors.get(i);
      String key = first(table.entry(), descriptor);
      if (key != null) {
        ClientUse use = byKey.computeIfAbsent(key, k -> new ClientUse(table, k, 0));
        use.descriptors.add(i);
        use.weight = Math.max(use.weight, request.hits(descriptor));
      }
    }
    String target = table.targetEntry();
    if (target != null) {
      addTargets(target, byKey, descriptors);
    }
    uses.addAll(byKey.values());
  }

  private static void addTargets(
      String target, Map<String, ClientUse> byKey, List<Descriptor> descriptors) {
    for (ClientUse use : byKey.values()) {
      if (byKey.size() == 1) {
        descriptors.forEach(descriptor -> addTargets(target, descriptor, use));
      } else {
        use.descriptors.forEach(i -> addTargets(target, descriptors.get(i), use));
      }
    }
  }

  private static void addTargets(String target, Descriptor descriptor, ClientUse use) {
    for (DescriptorEntry entry : descriptor.entries()) {
      if (entry.key().equals(target)) {
        use.targets.add(entry.value());
      }
    }
  }

  private static @Nullable String first(String name, Descriptor descriptor) {
    for (DescriptorEntry entry : descriptor.entries()) {
      if (entry.key().equals(name)) {
        return entry.value();
      }
    }
    return null;
  }
}
