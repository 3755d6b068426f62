package io.heatshield.replay;

import java.util.List;

/**
 * Writes the report of a replay as one self-contained HTML page. Styles and charts are inline, and
 * the page's content security policy forbids scripts.
 */
public final class ReplayPage {
  private static final int MAX_BARS = 25;

  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width">
      <title>Heatshield replay</title>
      <style>
      :root { color-scheme: light dark; --ink: #222; --line: #ccc; --a: #c43; --b: #27a; --c: #2a7; --paper: #fff; }
      @media (prefers-color-scheme: dark) {
        :root { --ink: #ddd; --line: #444; --a: #f76; --b: #6be; --c: #6d9; --paper: #161616; } }
      body { font: 14px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper);
        max-width: 900px; margin: 2em auto; padding: 0 1em; }
      pre { overflow-x: auto; font-size: 12px; }
      svg { width: 100%; margin: 1em 0; }
      svg text { font-size: 11px; fill: var(--ink); }
      svg text.title { font-size: 13px; font-weight: 600; }
      svg line { stroke: var(--line); stroke-width: 0.5; }
      svg polyline { fill: none; stroke-width: 1.5; }
      polyline.a { stroke: var(--a); } polyline.b { stroke: var(--b); } polyline.c { stroke: var(--c); }
      svg text.a, rect.a { fill: var(--a); } svg text.b { fill: var(--b); } svg text.c { fill: var(--c); }
      </style></head><body>
      <h1>Heatshield replay</h1>
      """;

  private ReplayPage() {}

  /** Returns the page. */
  public static String of(ReplayReport report, String name, double rate, int maxHotKeys) {
    var page = new StringBuilder(HEAD);
    double window = report.settings().window().toMillis() / 1e3;
    page.append(
        Plot.lines(
            "Requests/s, by window",
            report.samples(),
            List.of(new Plot.Curve("all keys", "b", sample -> sample.inWindow() / window))));
    page.append(
        Plot.lines(
            "Hot keys",
            report.samples(),
            List.of(new Plot.Curve("keys reported as hot", "a", Sample::hot))));
    page.append(
        Plot.lines(
            "Error of estimates, requests in a window",
            report.samples(),
            List.of(
                new Plot.Curve("stated bound", "b", Sample::bound),
                new Plot.Curve("highest measured", "a", Sample::maxError),
                new Plot.Curve("mean measured", "c", Sample::meanError))));
    List<HotKey> timed =
        report.hotKeys().stream().filter(key -> key.delayMillis() != null).limit(MAX_BARS).toList();
    if (!timed.isEmpty()) {
      page.append(
          Plot.bars(
              "Time from reaching the threshold to detection (0: immediately, or earlier)",
              timed.stream().map(HotKey::key).toList(),
              timed.stream().map(ReplayPage::delaySeconds).toList(),
              "s"));
    }
    if (!report.topKeys().isEmpty()) {
      page.append(
          Plot.bars(
              "Keys with the most requests",
              report.topKeys().stream().limit(MAX_BARS).map(TopKey::key).toList(),
              report.topKeys().stream().limit(MAX_BARS).map(key -> 100 * key.share()).toList(),
              "%"));
    }
    page.append("<h2>Report</h2><pre>");
    ReplayText.lines(report, name, rate, maxHotKeys)
        .forEach(line -> page.append(Plot.escape(line)).append('\n'));
    return page.append("</pre></body></html>\n").toString();
  }

  private static double delaySeconds(HotKey key) {
    Long delay = key.delayMillis();
    return delay == null ? 0 : Math.max(0, delay) / 1e3;
  }
}
