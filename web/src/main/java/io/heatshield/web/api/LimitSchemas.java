package io.heatshield.web.api;

import io.heatshield.limit.Descriptor;
import io.heatshield.limit.LimitRequest;
import io.heatshield.web.openapi.Schema;
import java.util.List;
import java.util.Map;

/** The schemas of Envoy's rate-limit messages in the JSON mapping of protobuf. */
final class LimitSchemas {
  private static final String[] UNITS = {
    "SECOND", "MINUTE", "HOUR", "DAY", "MONTH", "YEAR", "WEEK"
  };

  private LimitSchemas() {}

  /** Returns the schema of a RateLimitRequest, whose names may also be in snake_case. */
  static Schema request() {
    Schema entry =
        Schema.object("DescriptorEntry")
            .withOptional("key", Schema.text().orNull())
            .withOptional("value", Schema.text().orNull())
            .closed();
    Schema override =
        Schema.object("LimitOverride")
            .withOptional("requestsPerUnit", number(LimitRequest.MAX_UINT32).orNull())
            .withField("unit", Schema.oneOf(UNITS))
            .closed();
    Schema descriptor =
        Schema.object("Descriptor")
            .withOptional(
                "entries", Schema.list(entry).orNull().with("maxItems", Descriptor.MAX_ENTRIES))
            .withOptional("limit", override.orNull())
            .withOptional("hitsAddend", number(Long.MAX_VALUE).orNull())
            .closed();
    return Schema.object("RateLimitRequest")
        .withField("domain", Schema.text().with("minLength", 1))
        .withField(
            "descriptors",
            Schema.list(descriptor)
                .with("minItems", 1)
                .with("maxItems", LimitRequest.MAX_DESCRIPTORS))
        .withOptional("hitsAddend", number(LimitRequest.MAX_UINT32).orNull())
        .closed()
        .withExample(
            Map.of(
                "domain",
                "web",
                "descriptors",
                List.of(Map.of("entries", List.of(Map.of("key", "user", "value", "42"))))));
  }

  /** Returns the schema of a number, or of text as protobuf writes 64-bit numbers. */
  private static Schema number(long most) {
    return Schema.anyOf(
        Schema.integer(0, most),
        Schema.text().with("pattern", "^[0-9]{1," + (Long.toString(most).length() - 1) + "}$"));
  }

  /** Returns the schema of a RateLimitResponse. */
  static Schema response() {
    Schema limit =
        Schema.object("CurrentLimit")
            .withOptional("name", Schema.text())
            .withOptional("requestsPerUnit", Schema.integer())
            .withField("unit", Schema.oneOf(UNITS));
    Schema status =
        Schema.object("DescriptorStatus")
            .withField("code", Schema.oneOf("OK", "OVER_LIMIT"))
            .withOptional("currentLimit", limit)
            .withOptional("limitRemaining", Schema.integer())
            .withOptional("durationUntilReset", Schema.text().with("pattern", "^[0-9]+s$"));
    Schema header =
        Schema.object("Header").withField("key", Schema.text()).withField("value", Schema.text());
    return Schema.object("RateLimitResponse")
        .withField("overallCode", Schema.oneOf("OK", "OVER_LIMIT"))
        .withField("statuses", Schema.list(status).about("One for each descriptor, in order."))
        .withOptional("responseHeadersToAdd", Schema.list(header))
        .withOptional("dynamicMetadata", Schema.object());
  }
}
