package io.heatshield.cli.replay;

import io.heatshield.replay.advise.Advice;
import io.heatshield.replay.advise.AdviceText;
import io.heatshield.replay.advise.Candidate;
import io.heatshield.replay.advise.Measurement;
import io.heatshield.replay.advise.Outcome;
import io.heatshield.runtime.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes advice as JSON. */
public final class AdviceJson {
  private AdviceJson() {}

  /**
   * Returns one object.
   *
   * @param trace the name of the trace
   * @param yaml the recommended configuration
   */
  public static String of(Advice advice, String trace, String yaml) {
    var view = new LinkedHashMap<String, Object>();
    view.put("trace", trace);
    view.put("recommended", view(advice.chosen()));
    view.put("reason", advice.reason());
    view.put("second_half", view(advice.check()));
    view.put("savings_off", advice.savingsOff());
    view.put("holds", advice.holds());
    view.put("thresholds_and_windows", views(advice.tried()));
    view.put("flush_windows", views(advice.flushes()));
    view.put("memory", views(advice.widths()));
    view.put("configuration", yaml);
    return Json.write(view);
  }

  private static List<Map<String, Object>> views(List<Outcome> outcomes) {
    return outcomes.stream().map(AdviceJson::view).toList();
  }

  private static Map<String, Object> view(Outcome outcome) {
    Candidate candidate = outcome.candidate();
    Measurement measured = outcome.measured();
    var view = new LinkedHashMap<String, Object>();
    view.put("window", candidate.windowText());
    view.put("threshold", candidate.threshold());
    view.put("width", candidate.width());
    view.put("flush_window", AdviceText.duration(candidate.flushNanos()));
    view.put("recall", measured.recall());
    view.put("due", measured.actual());
    view.put("precision", measured.precision());
    view.put("reported", measured.reported());
    view.put("saved_share", measured.savedShare());
    view.put("saved_share_spread", measured.spread());
    view.put("bytes", outcome.bytes());
    return view;
  }
}
