package io.heatshield.cli.replay;

import io.heatshield.replay.Errors;
import io.heatshield.replay.HotKey;
import io.heatshield.replay.ReplayReport;
import io.heatshield.replay.TopKey;
import io.heatshield.replay.trace.TraceFacts;
import io.heatshield.replay.trace.TraceStats;
import io.heatshield.runtime.json.Json;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the report of a replay as one JSON object. */
public final class ReplayJson {
  private ReplayJson() {}

  /** Returns the report with at most {@code maxHotKeys} hot keys; all of them are counted. */
  public static String of(ReplayReport report, String name, double rate, int maxHotKeys) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("trace", name);
    addTrace(json, report.trace(), rate);
    json.put("durationMillis", report.durationMillis());
    json.put("distinct", report.distinct());
    json.put("beyondExactLimit", report.beyond());
    json.put("seconds", decimal(report.seconds()));
    json.put("touchesPerSecond", decimal(report.touchesPerSecond()));
    json.put("detector", detector(report));
    json.put("truthKnown", report.exact());
    json.put("recall", ratio(report.recall(), "found", report.found(), report.actual()));
    json.put(
        "precision", ratio(report.precision(), "right", report.truePositives(), report.reported()));
    json.put("errors", errors(report.errors()));
    json.put(
        "hotKeys", report.hotKeys().stream().limit(maxHotKeys).map(ReplayJson::hotKey).toList());
    json.put("topKeys", report.topKeys().stream().map(ReplayJson::topKey).toList());
    return Json.write(json);
  }

  private static void addTrace(Map<String, @Nullable Object> json, TraceFacts facts, double rate) {
    TraceStats stats = facts.stats();
    json.put("format", facts.format());
    json.put("formatGuessed", facts.guessed());
    json.put("fields", facts.fields());
    json.put("packing", facts.compression());
    json.put("timed", facts.timed());
    if (!facts.timed()) {
      json.put("rate", decimal(rate));
    }
    json.put("lines", stats.lines());
    json.put("touches", stats.touches());
    var skipped = new LinkedHashMap<String, Object>();
    skipped.put("blank", stats.blank());
    skipped.put("bad", stats.bad());
    skipped.put("withoutKey", stats.withoutKey());
    skipped.put("tooLong", stats.tooLong());
    skipped.put("badTimes", stats.badTimes());
    skipped.put("backwards", stats.backwards());
    skipped.put("leaps", stats.leaps());
    skipped.put("rebased", stats.rebased());
    json.put("passedOver", skipped);
    json.put("whole", stats.fault() == null);
    if (stats.fault() != null) {
      json.put("fault", stats.fault());
    }
  }

  private static Map<String, Object> detector(ReplayReport report) {
    var json = new LinkedHashMap<String, Object>();
    json.put("windowMillis", report.settings().window().toMillis());
    json.put("threshold", report.settings().threshold());
    json.put("hotAt", report.settings().hotAt());
    json.put("panes", report.settings().panes());
    json.put("width", report.settings().width());
    json.put("depth", report.settings().depth());
    json.put("bytes", report.detector().bytes());
    json.put("overloaded", report.detector().overloaded());
    json.put("sufficientWidth", report.detector().sufficientWidth());
    return json;
  }

  private static Map<String, Object> ratio(double value, String name, long part, long n) {
    var json = new LinkedHashMap<String, Object>();
    json.put("value", decimal(value));
    json.put(name, part);
    json.put("n", n);
    return json;
  }

  private static Map<String, Object> errors(Errors errors) {
    var json = new LinkedHashMap<String, Object>();
    json.put("compared", errors.compared());
    json.put("mean", decimal(errors.mean()));
    json.put("max", errors.max());
    json.put("maxBound", errors.maxBound());
    json.put("withinBound", errors.withinBound());
    json.put("tooLow", errors.below());
    return json;
  }

  private static Map<String, @Nullable Object> hotKey(HotKey key) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("key", key.key());
    json.put("touches", key.touches());
    json.put("peak", key.peak());
    json.put("hotAtMillis", key.firstMillis());
    json.put("foundAtMillis", key.foundMillis());
    json.put("certain", key.reportedMillis() != null);
    json.put("delayMillis", key.delayMillis());
    return json;
  }

  private static Map<String, Object> topKey(TopKey key) {
    var json = new LinkedHashMap<String, Object>();
    json.put("key", key.key());
    json.put("touches", key.touches());
    json.put("share", decimal(key.share()));
    json.put("peak", key.peak());
    json.put("lastWindow", key.count());
    json.put("estimate", key.estimate());
    json.put("error", key.error());
    return json;
  }

  private static BigDecimal decimal(double value) {
    return BigDecimal.valueOf(value).setScale(6, RoundingMode.HALF_UP);
  }
}
