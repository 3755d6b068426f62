package io.heatshield.web.api;

import io.heatshield.limit.CurrentLimit;
import io.heatshield.limit.Descriptor;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.DescriptorStatus;
import io.heatshield.limit.InvalidRequestException;
import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitOverride;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.LimitUnit;
import io.heatshield.rls.HeaderNames;
import io.heatshield.runtime.json.JsonReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Converts Envoy's messages, in the JSON mapping of protobuf, from and to the limiter's types.
 *
 * <p>Requests may use {@code hitsAddend} or {@code hits_addend}; responses use the former and omit
 * empty and zero fields. An unknown field is refused, as by the Envoy rate-limit service.
 */
final class LimitJson {
  private static final List<String> UNITS =
      List.of("UNKNOWN", "SECOND", "MINUTE", "HOUR", "DAY", "MONTH", "YEAR", "WEEK");

  private LimitJson() {}

  /**
   * Parses a RateLimitRequest.
   *
   * @throws InvalidRequestException if a field is invalid
   * @throws io.heatshield.web.http.BadRequestException if it is not JSON
   */
  static LimitRequest request(byte[] body) {
    JsonFields fields = JsonFields.of("", JsonReader.read(body));
    String domain = fields.text("domain");
    var descriptors = new ArrayList<Descriptor>();
    for (JsonFields descriptor : fields.list("descriptors", LimitRequest.MAX_DESCRIPTORS)) {
      descriptors.add(descriptor(descriptor));
    }
    long hits = fields.number("hitsAddend", LimitRequest.MAX_UINT32).orElse(0);
    fields.requireNoOthers();
    return new LimitRequest(domain, descriptors, hits);
  }

  /** Returns a RateLimitResponse as plain values. */
  static Map<String, Object> response(LimitAnswer answer, HeaderNames names) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("overallCode", code(answer.overLimit()));
    fields.put("statuses", answer.statuses().stream().map(LimitJson::status).toList());
    if (answer.headers() != null) {
      fields.put(
          "responseHeadersToAdd",
          names.of(answer.headers()).entrySet().stream()
              .map(header -> new Header(header.getKey(), header.getValue()))
              .toList());
    }
    if (!answer.dynamicMetadata().isEmpty()) {
      fields.put("dynamicMetadata", answer.dynamicMetadata());
    }
    return fields;
  }

  private static Descriptor descriptor(JsonFields fields) {
    var entries = new ArrayList<DescriptorEntry>();
    for (JsonFields entry : fields.list("entries", Descriptor.MAX_ENTRIES)) {
      entries.add(new DescriptorEntry(entry.text("key"), entry.text("value")));
      entry.requireNoOthers();
    }
    LimitOverride override = override(fields.object("limit"));
    OptionalLong hits = fields.number("hitsAddend", Long.MAX_VALUE);
    fields.requireNoOthers();
    return new Descriptor(entries, override, hits);
  }

  private static @Nullable LimitOverride override(@Nullable JsonFields fields) {
    if (fields == null) {
      return null;
    }
    long requests = fields.number("requestsPerUnit", LimitRequest.MAX_UINT32).orElse(0);
    String name = fields.choice("unit", UNITS);
    LimitUnit unit =
        LimitUnit.parse(name)
            .orElseThrow(() -> fields.fault("unit", "must be one of SECOND to YEAR"));
    fields.requireNoOthers();
    return new LimitOverride(requests, unit);
  }

  private static Map<String, Object> status(DescriptorStatus status) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("code", code(status.overLimit()));
    CurrentLimit limit = status.currentLimit();
    if (limit != null) {
      fields.put("currentLimit", limit(limit));
    }
    if (status.remaining() != 0) {
      fields.put("limitRemaining", status.remaining());
    }
    if (status.resetSeconds() >= 0) {
      fields.put("durationUntilReset", status.resetSeconds() + "s");
    }
    return fields;
  }

  private static Map<String, Object> limit(CurrentLimit limit) {
    var fields = new LinkedHashMap<String, Object>();
    if (!limit.name().isEmpty()) {
      fields.put("name", limit.name());
    }
    if (limit.requestsPerUnit() != 0) {
      fields.put("requestsPerUnit", limit.requestsPerUnit());
    }
    fields.put("unit", limit.unit().name());
    return fields;
  }

  private static String code(boolean overLimit) {
    return overLimit ? "OVER_LIMIT" : "OK";
  }

  private record Header(String key, String value) {}
}
