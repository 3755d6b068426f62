package io.heatshield.rls.grpc;

import com.google.protobuf.Duration;
import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import io.heatshield.limit.CurrentLimit;
import io.heatshield.limit.Descriptor;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.DescriptorStatus;
import io.heatshield.limit.InvalidRequestException;
import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitHeaders;
import io.heatshield.limit.LimitOverride;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.LimitUnit;
import io.heatshield.rls.HeaderNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Converts Envoy's messages from and to the types of the limiter. */
final class EnvoyMessages {
  /** The number of a field of descriptors that the generated messages do not have yet. */
  private static final int IS_NEGATIVE_HITS = 4;

  private EnvoyMessages() {}

  /**
   * Converts a request.
   *
   * @throws InvalidRequestException if a field is wrong
   */
  static LimitRequest question(RateLimitRequest message) {
    requireAtMost(
        LimitRequest.MAX_DESCRIPTORS, message.getDescriptorsCount(), "descriptors", "descriptors");
    var descriptors = new ArrayList<Descriptor>(message.getDescriptorsCount());
    for (RateLimitDescriptor descriptor : message.getDescriptorsList()) {
      descriptors.add(descriptor(descriptor));
    }
    return new LimitRequest(
        message.getDomain(), descriptors, Integer.toUnsignedLong(message.getHitsAddend()));
  }

  /** Converts an answer. */
  static RateLimitResponse message(LimitAnswer answer, HeaderNames names) {
    RateLimitResponse.Builder message =
        RateLimitResponse.newBuilder().setOverallCode(code(answer.overLimit()));
    for (DescriptorStatus status : answer.statuses()) {
      message.addStatuses(status(status));
    }
    LimitHeaders headers = answer.headers();
    if (headers != null) {
      names
          .of(headers)
          .forEach((name, value) -> message.addResponseHeadersToAdd(header(name, value)));
    }
    if (!answer.dynamicMetadata().isEmpty()) {
      message.setDynamicMetadata(struct(answer.dynamicMetadata()));
    }
    return message.build();
  }

  private static Descriptor descriptor(RateLimitDescriptor message) {
    List<RateLimitDescriptor.Entry> sent = message.getEntriesList();
    requireAtMost(Descriptor.MAX_ENTRIES, sent.size(), "descriptors.entries", "entries");
    refuseNegativeHits(message);
    var entries = new ArrayList<DescriptorEntry>(sent.size());
    for (RateLimitDescriptor.Entry entry : sent) {
      entries.add(new DescriptorEntry(entry.getKey(), entry.getValue()));
    }
    if (!message.hasHitsAddend()) {
      return new Descriptor(entries, override(message), OptionalLong.empty());
    }
    long unsigned = message.getHitsAddend().getValue();
    long hits = unsigned < 0 ? Long.MAX_VALUE : unsigned;
    return new Descriptor(entries, override(message), OptionalLong.of(hits));
  }

  private static @Nullable LimitOverride override(RateLimitDescriptor message) {
    if (!message.hasLimit()) {
      return null;
    }
    RateLimitDescriptor.RateLimitOverride limit = message.getLimit();
    // By number, as the Envoy rate-limit service does: overrides have no name for a week.
    RateLimit.Unit sent = RateLimit.Unit.forNumber(limit.getUnitValue());
    LimitUnit unit =
        LimitUnit.parse(sent == null ? "" : sent.name())
            .orElseThrow(
                () ->
                    new InvalidRequestException(
                        "descriptors.limit.unit", "unit must be one of SECOND to YEAR"));
    return new LimitOverride(Integer.toUnsignedLong(limit.getRequestsPerUnit()), unit);
  }

  /** Refuses hits that are to be subtracted, a field of Envoy 1.38: they would be added. */
  private static void refuseNegativeHits(RateLimitDescriptor message) {
    if (message.getUnknownFields().getField(IS_NEGATIVE_HITS).getVarintList().contains(1L)) {
      throw new InvalidRequestException(
          "descriptors.is_negative_hits", "is not supported: hits cannot be taken back");
    }
  }

  private static void requireAtMost(int most, int count, String field, String what) {
    if (count > most) {
      throw new InvalidRequestException(
          field, "there must be at most " + most + " " + what + ", but there are " + count);
    }
  }

  private static Code code(boolean overLimit) {
    return overLimit ? Code.OVER_LIMIT : Code.OK;
  }

  private static HeaderValue header(String name, String value) {
    return HeaderValue.newBuilder().setKey(name).setValue(value).build();
  }

  private static Struct struct(Map<?, ?> fields) {
    Struct.Builder struct = Struct.newBuilder();
    fields.forEach((name, value) -> struct.putFields(String.valueOf(name), value(value)));
    return struct.build();
  }

  private static Value value(@Nullable Object value) {
    Value.Builder message = Value.newBuilder();
    if (value instanceof Number number) {
      return message.setNumberValue(number.doubleValue()).build();
    }
    if (value instanceof Boolean truth) {
      return message.setBoolValue(truth).build();
    }
    if (value instanceof Map<?, ?> fields) {
      return message.setStructValue(struct(fields)).build();
    }
    if (value instanceof List<?> items) {
      ListValue.Builder list = ListValue.newBuilder();
      items.forEach(item -> list.addValues(value(item)));
      return message.setListValue(list).build();
    }
    return message.setStringValue(String.valueOf(value)).build();
  }

  private static RateLimitResponse.DescriptorStatus status(DescriptorStatus status) {
    RateLimitResponse.DescriptorStatus.Builder message =
        RateLimitResponse.DescriptorStatus.newBuilder()
            .setCode(code(status.overLimit()))
            .setLimitRemaining((int) status.remaining());
    CurrentLimit limit = status.currentLimit();
    if (limit != null) {
      message.setCurrentLimit(
          RateLimit.newBuilder()
              .setName(limit.name())
              .setRequestsPerUnit((int) limit.requestsPerUnit())
              .setUnit(RateLimit.Unit.valueOf(limit.unit().name())));
    }
    if (status.resetSeconds() >= 0) {
      message.setDurationUntilReset(Duration.newBuilder().setSeconds(status.resetSeconds()));
    }
    return message.build();
  }
}
