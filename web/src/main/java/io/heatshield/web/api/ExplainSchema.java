package io.heatshield.web.api;

import io.heatshield.action.Mode;
import io.heatshield.detect.Verdict;
import io.heatshield.web.openapi.Schema;

/** The schema of an explanation by {@link io.heatshield.insight.explain.Explainer}. */
final class ExplainSchema {
  private ExplainSchema() {}

  static Schema of() {
    return Schema.object("Explanation")
        .withField("scope", Schema.text())
        .withField("key", Schema.text().about("The key, escaped."))
        .withField("key_hash", Schema.text().with("pattern", "^[0-9a-f]{16}$"))
        .withField("state", Schema.oneOf(Verdict.Kind.class))
        .withField("rate", Schema.number().about("Requests per second over the window."))
        .withField("baseline_rate", Schema.number().orNull())
        .withField("baseline_moments", Schema.integer())
        .withField("peak_rate", Schema.number())
        .withField("share", Schema.number().about("The share of the scope's requests, 0 to 1."))
        .withField("estimate", Schema.integer().about("Never below the true number."))
        .withField("at_least", Schema.flag())
        .withField("error", Schema.integer().about("The maximum overestimate."))
        .withField("guaranteed", Schema.integer().about("Never above the true number."))
        .withFields(Schema.instant().orNull(), "since", "first_seen", "last_seen")
        .withField("context", context().orNull())
        .withField("protection", Schema.list(effect()))
        .withField("done", Schema.list(done()))
        .withField("recommendation", recommendation().orNull());
  }

  private static Schema context() {
    return Schema.object("KeyContext")
        .withField("first_hot", Schema.instant())
        .withField("peak_rate", Schema.number())
        .withFields(Schema.integer(), "reads", "writes", "misses")
        .withField("miss_share", Schema.number())
        .withFields(Schema.integer(), "throttled", "bytes")
        .withFields(Schema.mapOf(Schema.integer()), "commands", "clients")
        .withField("distinct_clients", Schema.integer())
        .withField("busiest_client_keys", Schema.integer().orNull())
        .withField("busiest_client_share", Schema.number().orNull());
  }

  private static Schema effect() {
    return Schema.object("KeyEffect")
        .withField("action", Schema.text())
        .withField("mode", Schema.oneOf(Mode.class))
        .withField("acted", Schema.integer().about("How often it was applied to this key."))
        .withField("would_have_acted", Schema.integer());
  }

  private static Schema done() {
    return Schema.object("ActionDone")
        .withField("action", Schema.text())
        .withField("mode", Schema.oneOf(Mode.class))
        .withFields(Schema.integer(), "applied", "saved", "would_have_applied", "would_have_saved");
  }

  private static Schema recommendation() {
    return Schema.object("Recommendation")
        .withField("cause", Schema.text())
        .withField("says", Schema.text().about("The cause, as a sentence."))
        .withField("advice", Schema.text().about("The advice, as a sentence."))
        .withField("setting", Schema.text().about("The path of the setting to change.").orNull())
        .withField("value", Schema.text().about("The recommended value.").orNull())
        .withField("line", Schema.text().about("The line for the configuration file.").orNull())
        .withField(
            "in_effect", Schema.flag().about("Whether it is enforced and was applied to this key."))
        .withField("acted", Schema.integer().about("How often it was applied to this key."))
        .withField("would_have_acted", Schema.integer());
  }
}
