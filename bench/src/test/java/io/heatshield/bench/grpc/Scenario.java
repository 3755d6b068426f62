package io.heatshield.bench.grpc;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import java.util.Locale;

/** The requests of callers: a number of constant descriptors, and a number that vary. */
enum Scenario {
  /** One descriptor, the same in every request. */
  FIXED(1, 0),
  /** One descriptor, one of a hundred thousand. */
  VARIABLE(0, 1),
  /** One of each. */
  MIXED2(1, 1),
  /** Five of each. */
  MIXED10(5, 5);

  /** The rules of every scenario's descriptors, with limits that are never exceeded. */
  static final String RULES =
      """
      domain: load
      descriptors:
        - key: fixed
          rate_limit: { unit: hour, requests_per_unit: 4000000000 }
        - key: variable
          rate_limit: { unit: hour, requests_per_unit: 4000000000 }
      """;

  private static final int VALUES = 100_000;

  /** The base-two logarithm of a number slightly larger than that of all values. */
  private static final int QUESTION_BITS = 17;

  private final int fixed;
  private final int variable;

  Scenario(int fixed, int variable) {
    this.fixed = fixed;
    this.variable = variable;
  }

  /** Returns the scenario of a name. */
  static Scenario of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  /** Returns the number of different requests, a power of two that covers about all values. */
  int questions() {
    return (1 << QUESTION_BITS) / Integer.highestOneBit(Math.max(1, variable));
  }

  /** Returns the n-th request. */
  RateLimitRequest question(long n) {
    RateLimitRequest.Builder question = RateLimitRequest.newBuilder().setDomain("load");
    for (int i = 0; i < fixed; i++) {
      question.addDescriptors(descriptor("fixed", "value-" + i));
    }
    for (int i = 0; i < variable; i++) {
      long value = Math.floorMod((n * variable + i) * 0x9e3779b97f4a7c15L, (long) VALUES);
      question.addDescriptors(descriptor("variable", "value-" + value));
    }
    return question.build();
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static RateLimitDescriptor descriptor(String key, String value) {
    return RateLimitDescriptor.newBuilder()
        .addEntries(RateLimitDescriptor.Entry.newBuilder().setKey(key).setValue(value))
        .build();
  }
}
