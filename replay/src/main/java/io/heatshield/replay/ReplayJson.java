package io.heatshield.replay;

import io.heatshield.replay.trace.TraceStats;
import java.util.Locale;

/** A replay's report as one JSON object. */
public final class ReplayJson {
  private ReplayJson() {}

  /** Returns the report; at most so many hot keys are listed, and all are counted. */
  public static String of(ReplayReport report, String name, double rate, int most) {
    var json = new JsonText().open('{').field("trace", name);
    trace(json, report.trace(), rate);
    json.field("durationMillis", report.durationMillis())
        .field("distinct", report.distinct())
        .field("beyondExactLimit", report.beyond())
        .field("seconds", report.seconds())
        .field("touchesPerSecond", report.touchesPerSecond());
    json.name("detector").open('{');
    json.field("windowMillis", report.settings().window().toMillis())
        .field("threshold", report.settings().threshold())
        .field("hotAt", report.settings().hotAt())
        .field("panes", report.settings().panes())
        .field("width", report.settings().width())
        .field("depth", report.settings().depth())
        .field("bytes", report.detector().bytes())
        .field("overloaded", report.detector().overloaded())
        .field("sufficientWidth", report.detector().sufficientWidth())
        .close('}');
    verdict(json, report);
    Errors errors = report.errors();
    json.name("errors").open('{');
    json.field("compared", errors.compared())
        .field("mean", errors.mean())
        .field("max", errors.max())
        .field("maxBound", errors.maxBound())
        .field("withinBound", errors.withinBound())
        .field("tooLow", errors.below())
        .close('}');
    hotKeys(json, report, most);
    topKeys(json, report);
    return json.close('}').toString();
  }

  static void trace(JsonText json, TraceFacts facts, double rate) {
    TraceStats stats = facts.stats();
    json.field("format", facts.format().name().toLowerCase(Locale.ROOT))
        .field("formatGuessed", facts.guessed())
        .field("fields", facts.fields())
        .field("packing", facts.packing().name().toLowerCase(Locale.ROOT))
        .field("timed", facts.timed());
    if (!facts.timed()) {
      json.field("rate", rate);
    }
    json.field("lines", stats.lines()).field("touches", stats.touches());
    json.name("passedOver").open('{');
    json.field("blank", stats.blank())
        .field("bad", stats.bad())
        .field("withoutKey", stats.withoutKey())
        .field("tooLong", stats.tooLong())
        .field("badTimes", stats.badTimes())
        .field("backwards", stats.backwards())
        .field("leaps", stats.leaps())
        .field("rebased", stats.rebased())
        .close('}');
    json.field("whole", stats.fault() == null);
    if (stats.fault() != null) {
      json.field("fault", stats.fault());
    }
  }

  private static void verdict(JsonText json, ReplayReport report) {
    json.field("truthKnown", report.truthKnown());
    json.name("recall").open('{');
    json.field("value", report.recall())
        .field("found", report.found())
        .field("n", report.due())
        .close('}');
    json.name("precision").open('{');
    json.field("value", report.precision())
        .field("right", report.rightlyReported())
        .field("n", report.reported())
        .close('}');
  }

  private static void hotKeys(JsonText json, ReplayReport report, int most) {
    json.name("hotKeys").open('[');
    report.hotKeys().stream()
        .limit(most)
        .forEach(
            key ->
                json.open('{')
                    .field("key", key.key())
                    .field("touches", key.touches())
                    .field("peak", key.peak())
                    .field("hotAtMillis", key.firstMillis())
                    .field("foundAtMillis", key.foundMillis())
                    .field("certain", key.reportedMillis() != null)
                    .field("delayMillis", key.delayMillis())
                    .close('}'));
    json.close(']');
  }

  private static void topKeys(JsonText json, ReplayReport report) {
    json.name("topKeys").open('[');
    for (TopKey key : report.topKeys()) {
      json.open('{')
          .field("key", key.key())
          .field("touches", key.touches())
          .field("share", key.share())
          .field("peak", key.peak())
          .field("lastWindow", key.count())
          .field("estimate", key.estimate())
          .field("error", key.error())
          .close('}');
    }
    json.close(']');
  }
}
