package io.heatshield.cli.replay;

import io.heatshield.replay.advise.Advice;
import io.heatshield.replay.advise.AdviceText;
import io.heatshield.replay.advise.Choice;
import io.heatshield.replay.advise.Outcome;
import io.heatshield.replay.advise.Part;
import io.heatshield.runtime.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Advice as JSON for programs. */
public final class AdviceJson {
  private AdviceJson() {}

  /**
   * Returns one object.
   *
   * @param trace the trace's name
   * @param yaml the configuration that is advised
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
    Choice choice = outcome.choice();
    Part part = outcome.part();
    var view = new LinkedHashMap<String, Object>();
    view.put("window", AdviceText.duration(choice.windowMillis() * 1_000_000L));
    view.put("threshold", choice.threshold());
    view.put("width", choice.width());
    view.put("flush_window", AdviceText.duration(choice.flushNanos()));
    view.put("recall", part.recall());
    view.put("due", part.due());
    view.put("precision", part.precision());
    view.put("reported", part.reported());
    view.put("saved_share", part.savedShare());
    view.put("saved_share_spread", part.spread());
    view.put("bytes", outcome.bytes());
    return view;
  }
}
