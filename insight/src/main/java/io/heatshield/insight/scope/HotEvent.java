package io.heatshield.insight.scope;

import io.heatshield.detect.KeyReport;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A key that turned hot, or that has cooled.
 *
 * @param hot whether it turned hot
 * @param scope where the key lives
 * @param key what was known about it at that moment
 * @param at when that was
 * @param fleet the fleet that found it by the counts of all its nodes; null if this process did by
 *     its own
 */
public record HotEvent(
    boolean hot, String scope, KeyReport key, Instant at, @Nullable Fleet fleet) {

  /**
   * The fleet that found an event.
   *
   * @param name the fleet's name
   * @param nodes how many of its nodes may have seen the key
   * @param first whether this process made the view that shows the event first, so that it is the
   *     one to send what is to be sent once by the fleet
   */
  public record Fleet(String name, int nodes, boolean first) {}

  /** Creates an event that this process found by its own counts. */
  public HotEvent(boolean hot, String scope, KeyReport key, Instant at) {
    this(hot, scope, key, at, null);
  }

  /** Returns the event by name, as JSON is made from, for everyone who is told. */
  public Map<String, Object> fields() {
    Fleet found = fleet;
    var fields = new LinkedHashMap<String, Object>();
    fields.put("event", hot ? "hot" : "cool");
    if (found != null) {
      fields.put("fleet", found.name());
      fields.put("nodes", found.nodes());
    }
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
