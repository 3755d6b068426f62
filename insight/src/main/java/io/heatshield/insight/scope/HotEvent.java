package io.heatshield.insight.scope;

import io.heatshield.detect.KeyReport;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event: a key turned hot or cooled.
 *
 * @param hot true if the key turned hot, false if it cooled
 * @param scope the scope of the key
 * @param key the state of the key at that time
 * @param at the time of the event
 * @param fleet the fleet whose total counts caused the event; null if the counts of this process
 *     did
 */
public record HotEvent(
    boolean hot, String scope, KeyReport key, Instant at, @Nullable Fleet fleet) {

  /**
   * The fleet of an event.
   *
   * @param name the name of the fleet
   * @param nodes the number of nodes that may have seen the key
   * @param first whether this process merged the view that first shows the event, and so sends the
   *     notifications that the fleet sends once
   */
  public record Fleet(String name, int nodes, boolean first) {}

  /** Creates an event caused by the counts of this process. */
  public HotEvent(boolean hot, String scope, KeyReport key, Instant at) {
    this(hot, scope, key, at, null);
  }

  /** Returns the fields of the event's JSON form. */
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
