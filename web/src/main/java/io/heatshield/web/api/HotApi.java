package io.heatshield.web.api;

import io.heatshield.detect.AuditReport;
import io.heatshield.detect.DetectorSettings;
import io.heatshield.detect.DetectorStats;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.detect.HotPrefix;
import io.heatshield.detect.KeyReport;
import io.heatshield.detect.Verdict;
import io.heatshield.fleet.FleetAnswer;
import io.heatshield.insight.explain.Explainer;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.insight.scope.WallTime;
import io.heatshield.key.KeyText;
import io.heatshield.web.http.BadRequestException;
import io.heatshield.web.http.Request;
import io.heatshield.web.http.Response;
import io.heatshield.web.http.Route;
import io.heatshield.web.openapi.Schema;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code /api/v1/scopes}, {@code hot} and {@code keys/{key}}: scopes, hot keys and explanations of
 * keys.
 */
public final class HotApi {
  private static final Schema SCOPE = Schema.text().withExample("main");

  private final ServerScopes scopes;
  private final WallTime wall;
  private final Explainer explainer;

  /** Creates the API of these scopes. */
  public HotApi(ServerScopes scopes, WallTime wall, Explainer explainer) {
    this.scopes = scopes;
    this.wall = wall;
    this.explainer = explainer;
  }

  /** Returns the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/scopes",
                "Lists the scopes with their settings, counts, errors and memory.",
                request -> Response.json(new ScopesView(scopeViews())))
            .answering(200, "All scopes.", ScopesView.class),
        Route.get("/api/v1/hot", "Lists the keys with the highest estimates.", this::hot)
            .withQuery("scope", "The scope; default: all scopes.", SCOPE)
            .withQuery("n", "The maximum number of keys per scope.", KeyPage.MOST)
            .withQuery("offset", "The number of keys to skip per scope.", KeyPage.OFFSET)
            .withQuery("prefix", KeyMatch.PREFIX)
            .withQuery("contains", KeyMatch.CONTAINS)
            .withQuery(
                "fleet",
                "Whether to list the counts of the whole fleet.",
                Schema.flag().byDefault(false))
            .answering(
                200,
                "The keys, highest estimate first.",
                Schema.anyOf(Schema.of(FleetViews.HotView.class), Schema.of(ListView.class)))
            .answering(404, "No such scope."),
        Route.get(
                "/api/v1/keys/{key}",
                "Explains one key: its rate, its clients, the protection and a recommendation.",
                this::key)
            .withPath(
                "key", "The key, percent-encoded; any bytes.", Schema.text().withExample("user:1"))
            .withQuery("scope", "The scope; required if there are several.", SCOPE)
            .answering(200, "The explanation of the key.", ExplainSchema.of())
            .answering(404, "No such scope."));
  }

  private Response hot(Request request) {
    KeyPage page = KeyPage.of(request);
    String wanted = request.query("scope");
    boolean whole = FleetViews.isRequested(request);
    FleetAnswer answer = scopes.fleet().answer();
    if (whole && answer.view() != null) {
      return FleetViews.of(scopes.fleet(), answer, answer.view(), wanted, page, wall.now());
    }
    if (wanted != null && scopes.find(wanted).isEmpty()) {
      return unknown(wanted);
    }
    List<HotView> views =
        scopes.all().entrySet().stream()
            .filter(scope -> wanted == null || scope.getKey().equals(wanted))
            .map(scope -> hotView(scope.getKey(), scope.getValue(), page))
            .toList();
    return whole
        ? FleetViews.localOnly(scopes.fleet(), answer, views)
        : Response.json(new ListView(views));
  }

  private Response key(Request request) {
    byte[] key = request.parameter("key");
    String scope = scopeOf(request);
    return explainer.explain(scope, key).map(Response::json).orElseGet(() -> unknown(scope));
  }

  private String scopeOf(Request request) {
    String scope = request.query("scope");
    if (scope != null) {
      return scope;
    }
    List<String> names = List.copyOf(scopes.all().keySet());
    if (names.size() == 1) {
      return names.get(0);
    }
    throw new BadRequestException("scope is required: there are " + names.size() + " scopes");
  }

  static Response unknown(String scope) {
    return Response.problem(404, "no such scope: " + KeyText.of(scope));
  }

  private List<ScopeView> scopeViews() {
    return scopes.all().entrySet().stream()
        .map(scope -> scopeView(scope.getKey(), scope.getValue()))
        .toList();
  }

  private static ScopeView scopeView(String name, HotKeyDetector detector) {
    DetectorSettings settings = detector.settings();
    return new ScopeView(
        name,
        text(settings.window()),
        settings.panes(),
        settings.threshold(),
        detector.stats(),
        detector.audit(),
        detector.audit().recall());
  }

  private HotView hotView(String scope, HotKeyDetector detector, KeyPage page) {
    DetectorStats stats = detector.stats();
    DetectorSettings settings = detector.settings();
    // Bounded: the detector keeps a fixed number of keys.
    List<KeyReport> found =
        detector.top(Integer.MAX_VALUE).stream()
            .filter(report -> page.match().test(report.key().toString()))
            .toList();
    return new HotView(
        scope,
        text(settings.window()),
        settings.threshold(),
        stats.hot(),
        stats.overloaded(),
        stats.overloaded() ? stats.sufficientWidth() : null,
        stats.kept(),
        found.size(),
        page.of(found).map(report -> keyView(report, stats)).toList(),
        detector.hotPrefixes().stream()
            .filter(hot -> page.match().test(hot.prefix().toString()))
            .map(HotApi::prefixView)
            .toList());
  }

  private static PrefixView prefixView(HotPrefix hot) {
    return new PrefixView(
        hot.prefix().toString(),
        hot.prefix().label(),
        hot.rate(),
        hot.estimate(),
        hot.unexplained(),
        hot.error());
  }

  private KeyView keyView(KeyReport report, DetectorStats stats) {
    return new KeyView(
        report.key().toString(),
        report.key().label(),
        report.kind(),
        report.rate(),
        report.estimate(),
        report.atLeast(),
        report.error(),
        report.guaranteed(),
        share(report.estimate(), stats),
        report.kind() == Verdict.Kind.COOL ? null : wall.before(report.takenAt(), report.hotFor()),
        wall.before(report.takenAt(), report.trackedFor()),
        wall.before(report.takenAt(), report.idleFor()));
  }

  private static double share(long estimate, DetectorStats stats) {
    return stats.inWindow() == 0 ? 0 : Math.min(1, (double) estimate / stats.inWindow());
  }

  static String text(Duration window) {
    return window.toMillis() % 1000 == 0 ? window.toSeconds() + "s" : window.toMillis() + "ms";
  }

  private record ScopesView(List<ScopeView> scopes) {}

  private record ListView(List<HotView> scopes) {}

  private record ScopeView(
      String scope,
      String window,
      int panes,
      long threshold,
      DetectorStats stats,
      AuditReport audit,
      double auditRecall) {}

  private record HotView(
      String scope,
      String window,
      long threshold,
      int hot,
      boolean overloaded,
      @Nullable Long sufficientWidth,
      int tracked,
      int total,
      List<KeyView> keys,
      List<PrefixView> prefixes) {}

  /** A hot prefix. */
  record PrefixView(
      String prefix, String keyHash, double rate, long estimate, long unexplained, long error) {}

  private record KeyView(
      String key,
      String keyHash,
      Verdict.Kind state,
      double rate,
      long estimate,
      boolean atLeast,
      long error,
      long guaranteed,
      double share,
      @Nullable Instant since,
      Instant firstSeen,
      Instant lastSeen) {}
}
