package io.heatshield.server.scope;

import io.heatshield.detect.KeyReport;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A key that turned hot, or that has cooled.
 *
 * @param hot whether it turned hot
 * @param scope where the key lives
 * @param key what was known about it at that moment
 * @param at when that was
 */
public record HotEvent(boolean hot, String scope, KeyReport key, Instant at) {

  /** Returns the event by name, as JSON is made from, for everyone who is told. */
  public Map<String, Object> fields() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("event", hot ? "hot" : "cool");
    fields.put("scope", scope);
    fields.put("key", key.key().toString());
    fields.put("key_hash", key.key().label());
    fields.put("state", key.kind());
    fields.put("rate", key.rate());
    fields.put("estimate", key.estimate());
    fields.put("error", key.error());
    fields.put("at", at.toString());
    return fields;
  }
}
