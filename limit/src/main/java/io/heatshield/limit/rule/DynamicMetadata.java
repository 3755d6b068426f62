package io.heatshield.limit.rule;

import io.heatshield.limit.Descriptor;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.DescriptorStatus;
import io.heatshield.limit.LimitOverride;
import io.heatshield.limit.LimitRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds dynamic metadata: the request, and the metadata of the rules that it passed. */
final class DynamicMetadata {
  private DynamicMetadata() {}

  static Map<String, Object> of(
      LimitRequest request, @Nullable AppliedRule[] rules, List<DescriptorStatus> statuses) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("domain", request.domain());
    fields.put("descriptors", request.descriptors().stream().map(DynamicMetadata::fields).toList());
    if (request.hitsAddend() != 0) {
      fields.put("hitsAddend", (double) request.hitsAddend());
    }
    var passed = new LinkedHashMap<String, Object>();
    for (int i = 0; i < rules.length; i++) {
      AppliedRule rule = rules[i];
      if (rule != null && !rule.isUnlimited() && !statuses.get(i).overLimit()) {
        merge(passed, rule.metadata());
      }
    }
    if (!passed.isEmpty()) {
      fields.put("metadata", passed);
    }
    return fields;
  }

  private static Map<String, Object> fields(Descriptor descriptor) {
    var fields = new LinkedHashMap<String, Object>();
    var entries = new ArrayList<String>();
    for (DescriptorEntry entry : descriptor.entries()) {
      entries.add(entry.key() + "=" + entry.value());
    }
    fields.put("entries", entries);
    LimitOverride override = descriptor.override();
    if (override != null) {
      fields.put(
          "limit", "requests_per_unit:" + override.requestsPerUnit() + " unit:" + override.unit());
    }
    descriptor.hitsAddend().ifPresent(hits -> fields.put("hitsAddend", (double) hits));
    return fields;
  }

  /** Adds missing fields; maps are merged, and of two other values the first is kept. */
  private static void merge(Map<String, Object> into, Map<?, ?> from) {
    from.forEach(
        (key, value) -> {
          Object present = into.get(String.valueOf(key));
          if (present instanceof Map<?, ?> inner && value instanceof Map<?, ?> more) {
            var merged = new LinkedHashMap<String, Object>();
            merge(merged, inner);
            merge(merged, more);
            into.put(String.valueOf(key), merged);
          } else if (present == null) {
            into.put(String.valueOf(key), value);
          }
        });
  }
}
