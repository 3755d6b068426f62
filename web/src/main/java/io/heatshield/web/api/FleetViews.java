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
 * The responses to {@code hot?fleet=true}: the hot keys of the whole fleet with its nodes, or those
 * of this node with the reason.
 */
final class FleetViews {
  private FleetViews() {}

  /**
   * Returns whether a request is about the whole fleet.
   *
   * @throws BadRequestException if {@code fleet} is neither true nor false
   */
  static boolean isRequested(Request request) {
    String value = request.query("fleet");
    if (value == null || value.equals("false")) {
      return false;
    }
    if (value.equals("true")) {
      return true;
    }
    throw new BadRequestException("fleet must be true or false: " + KeyText.of(value));
  }

  /** Returns the counts of the whole fleet. */
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
    return Response.json(new HotView(wholeView(source, answer), scopes));
  }

  /** Returns the counts of this node and why those of the fleet are unavailable. */
  static Response localOnly(FleetSource source, FleetAnswer answer, List<? extends Record> scopes) {
    return Response.json(new LocalView(wholeView(source, answer), scopes));
  }

  private static WholeView wholeView(FleetSource source, FleetAnswer answer) {
    FleetView view = answer.view();
    return new WholeView(
        source.fleet(),
        source.node(),
        view == null ? answer.localOnly() : null,
        answer.ageMillis(),
        view == null ? null : view.merger(),
        view != null && view.isRebuilding(),
        view == null ? List.of() : view.members(),
        view == null ? List.of() : view.savings());
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

  /** The counts of the whole fleet. */
  record HotView(WholeView fleet, List<ScopeView> scopes) {}

  /** The counts of this node, in the form of {@link HotApi}. */
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
