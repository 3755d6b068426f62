package io.heatshield.web.api;

import io.heatshield.detect.Verdict;
import io.heatshield.fleet.FleetAnswer;
import io.heatshield.fleet.FleetKey;
import io.heatshield.fleet.FleetMember;
import io.heatshield.fleet.FleetScope;
import io.heatshield.fleet.FleetView;
import io.heatshield.fleet.NodeShare;
import io.heatshield.fleet.Saved;
import io.heatshield.insight.scope.FleetSource;
import io.heatshield.key.KeyText;
import io.heatshield.web.http.BadRequestException;
import io.heatshield.web.http.Request;
import io.heatshield.web.http.Response;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answers to {@code hot?fleet=true}: those of {@code hot}, with the nodes they come from, and
 * with why if they are one node's only.
 */
final class FleetViews {
  private FleetViews() {}

  /**
   * Returns whether a question is about the whole fleet.
   *
   * @throws BadRequestException if that is neither true nor false
   */
  static boolean isAsked(Request request) {
    String value = request.query("fleet");
    if (value == null || value.equals("false")) {
      return false;
    }
    if (value.equals("true")) {
      return true;
    }
    throw new BadRequestException("fleet must be true or false: " + KeyText.of(value));
  }

  /** Returns what the whole fleet has counted. */
  static Response of(
      FleetSource source,
      FleetAnswer answer,
      FleetView view,
      @Nullable String wanted,
      KeyPage page,
      Instant now) {
    List<ScopeView> scopes =
        view.scopes().stream()
            .filter(scope -> wanted == null || scope.scope().equals(wanted))
            .map(scope -> scopeView(scope, page, now))
            .toList();
    if (wanted != null && scopes.isEmpty()) {
      return HotApi.unknown(wanted);
    }
    return Response.json(
        new HotView(
            new WholeView(
                source.fleet(),
                source.node(),
                null,
                answer.ageMillis(),
                view.merger(),
                view.isRebuilding(),
                view.members(),
                view.savings()),
            scopes));
  }

  /** Returns this node's own numbers, and why there are no others. */
  static Response localOnly(FleetSource source, FleetAnswer answer, List<? extends Record> scopes) {
    return Response.json(
        new LocalView(
            new WholeView(
                source.fleet(),
                source.node(),
                answer.localOnly(),
                answer.ageMillis(),
                null,
                false,
                List.of(),
                List.of()),
            scopes));
  }

  private static ScopeView scopeView(FleetScope scope, KeyPage page, Instant now) {
    double seconds = scope.windowMillis() / 1000.0;
    List<FleetKey> found =
        scope.keys().stream().filter(key -> page.match().test(key.key().toString())).toList();
    return new ScopeView(
        scope.scope(),
        HotApi.text(Duration.ofMillis(scope.windowMillis())),
        Math.round(scope.hotAt() / seconds),
        scope.hot(),
        scope.uncertain(),
        scope.overloaded(),
        scope.nodes(),
        scope.touches(),
        scope.errorBound(),
        scope.distinct(),
        scope.atLeast(),
        scope.unlistedBelow(),
        scope.complete(),
        scope.keys().size(),
        found.size(),
        page.of(found).map(key -> keyView(key, scope, seconds, now)).toList(),
        List.of());
  }

  private static KeyView keyView(FleetKey key, FleetScope scope, double seconds, Instant now) {
    Instant since = now.minusMillis(key.hotMillis()).truncatedTo(ChronoUnit.MILLIS);
    return new KeyView(
        key.key().toString(),
        key.key().label(),
        key.kind(),
        key.estimate() / seconds,
        key.estimate(),
        key.error(),
        key.guaranteed(),
        scope.touches() == 0 ? 0 : Math.min(1, (double) key.estimate() / scope.touches()),
        key.kind() == Verdict.Kind.COOL ? null : since,
        key.nodes(),
        key.shares());
  }

  /** What the whole fleet has counted. */
  record HotView(WholeView fleet, List<ScopeView> scopes) {}

  /** What this node has counted, in the form of {@link HotApi}. */
  private record LocalView(WholeView fleet, List<? extends Record> scopes) {}

  private record WholeView(
      String name,
      String node,
      @Nullable String localOnly,
      long ageMillis,
      @Nullable String merger,
      boolean rebuilding,
      List<FleetMember> nodes,
      List<Saved> savings) {}

  private record ScopeView(
      String scope,
      String window,
      long threshold,
      int hot,
      int uncertain,
      boolean overloaded,
      int nodes,
      long touches,
      long errorBound,
      long distinct,
      boolean atLeast,
      long unlistedBelow,
      boolean complete,
      int tracked,
      int total,
      List<KeyView> keys,
      List<HotApi.PrefixView> prefixes) {}

  private record KeyView(
      String key,
      String keyHash,
      Verdict.Kind state,
      double rate,
      long estimate,
      long error,
      long guaranteed,
      double share,
      @Nullable Instant since,
      int nodes,
      List<NodeShare> shares) {}
}
