package io.heatshield.cli.size;

import io.heatshield.runtime.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes an estimate as JSON. */
public final class SizeJson {
  private SizeJson() {}

  /** Returns one object. */
  public static String of(SizeEstimate estimate, SizedStore store) {
    KeySet keys = estimate.keys();
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("items", keys.items());
    view.put("key_bytes", keys.keyBytes());
    view.put("value_bytes", keys.valueBytes());
    view.put("false_positive_rate", keys.rate());
    view.put("misses_per_second", keys.missesPerSecond());
    view.put("price_per_gib_month", keys.pricePerGibMonth());
    view.put("raw_keys", view(estimate.rawKeys()));
    view.put("bloom_filter", view(estimate.bloomFilter()));
    Map<String, @Nullable Object> cuckoo = view(estimate.cuckooFilter());
    cuckoo.put("fingerprint_bits", estimate.filter().fingerprintBits());
    cuckoo.put("heap_bytes", estimate.filter().heapBytes());
    cuckoo.put("direct_bytes", estimate.filter().directBytes());
    view.put("cuckoo_filter", cuckoo);
    var build = new LinkedHashMap<String, @Nullable Object>();
    build.put("seconds", estimate.buildSeconds());
    build.put("keys_per_second", estimate.speed().keysPerSecond());
    build.put("measured_keys", estimate.speed().keys());
    build.put("measured_seconds", estimate.speed().seconds());
    view.put("build", build);
    var server = new LinkedHashMap<String, @Nullable Object>();
    server.put("heap_bytes", store.heapBytes());
    server.put("direct_bytes", store.directBytes());
    server.put("machine_bytes", store.machineBytes());
    server.put("java_options", store.javaOptions());
    view.put("server", server);
    view.put("configuration", store.yaml());
    return Json.write(view);
  }

  private static Map<String, @Nullable Object> view(Alternative alternative) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("bytes", Math.round(alternative.bytes()));
    view.put("bits_per_key", alternative.bitsPerKey());
    view.put("false_positive_rate", alternative.rate());
    view.put("false_positives_per_second", alternative.falsePositivesPerSecond());
    view.put("cost_per_month", alternative.costPerMonth());
    return view;
  }
}
