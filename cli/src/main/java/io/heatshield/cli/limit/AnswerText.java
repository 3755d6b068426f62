package io.heatshield.cli.limit;

import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import io.heatshield.key.KeyText;
import io.heatshield.runtime.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Formats the response of the rate-limit service as text or JSON. */
public final class AnswerText {
  private static final long UNLIMITED = 0xffff_ffffL;

  private AnswerText() {}

  /** Returns one line with the overall code and one for each descriptor, aligned. */
  public static List<String> lines(RateLimitRequest request, RateLimitResponse answer) {
    var lines = new ArrayList<String>();
    lines.add(answer.getOverallCode() + "   domain " + KeyText.of(request.getDomain()));
    int width =
        request.getDescriptorsList().stream()
            .mapToInt(descriptor -> KeyText.of(DescriptorText.of(descriptor)).length())
            .max()
            .orElse(0);
    for (int i = 0; i < answer.getStatusesCount() && i < request.getDescriptorsCount(); i++) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  %-" + Math.max(1, width) + "s   %-10s   %s",
              KeyText.of(DescriptorText.of(request.getDescriptors(i))),
              answer.getStatuses(i).getCode(),
              detail(answer.getStatuses(i))));
    }
    for (HeaderValue header : answer.getResponseHeadersToAddList()) {
      lines.add("  " + KeyText.of(header.getKey()) + ": " + KeyText.of(header.getValue()));
    }
    return lines;
  }

  /** Returns the response as JSON, with the field names of the HTTP API. */
  public static String json(RateLimitResponse answer) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("overallCode", answer.getOverallCode().toString());
    fields.put("statuses", answer.getStatusesList().stream().map(AnswerText::fields).toList());
    if (answer.getResponseHeadersToAddCount() > 0) {
      fields.put(
          "responseHeadersToAdd",
          answer.getResponseHeadersToAddList().stream()
              .map(header -> new Header(header.getKey(), header.getValue()))
              .toList());
    }
    return Json.write(fields);
  }

  private static Map<String, Object> fields(DescriptorStatus status) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("code", status.getCode().toString());
    if (status.hasCurrentLimit()) {
      RateLimit limit = status.getCurrentLimit();
      var current = new LinkedHashMap<String, Object>();
      if (!limit.getName().isEmpty()) {
        current.put("name", limit.getName());
      }
      current.put("requestsPerUnit", Integer.toUnsignedLong(limit.getRequestsPerUnit()));
      current.put("unit", limit.getUnit().toString());
      fields.put("currentLimit", current);
    }
    fields.put("limitRemaining", Integer.toUnsignedLong(status.getLimitRemaining()));
    if (status.hasDurationUntilReset()) {
      fields.put("durationUntilReset", status.getDurationUntilReset().getSeconds() + "s");
    }
    return fields;
  }

  private static String detail(DescriptorStatus status) {
    long remaining = Integer.toUnsignedLong(status.getLimitRemaining());
    if (!status.hasCurrentLimit() && status.getCode() == RateLimitResponse.Code.OVER_LIMIT) {
      return "blocked by a rule of a table for another "
          + status.getDurationUntilReset().getSeconds()
          + " s";
    }
    if (!status.hasCurrentLimit()) {
      return remaining == UNLIMITED ? "unlimited" : "no limit applies";
    }
    RateLimit limit = status.getCurrentLimit();
    String name = limit.getName().isEmpty() ? "" : ", rule " + KeyText.of(limit.getName());
    return remaining
        + " of "
        + Integer.toUnsignedLong(limit.getRequestsPerUnit())
        + " per "
        + limit.getUnit().toString().toLowerCase(Locale.ROOT)
        + " left, new window in "
        + status.getDurationUntilReset().getSeconds()
        + " s"
        + name;
  }

  private record Header(String key, String value) {}
}
