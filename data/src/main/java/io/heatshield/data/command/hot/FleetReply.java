package io.heatshield.data.command.hot;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.MapReply;
import io.heatshield.detect.Verdict;
import io.heatshield.fleet.FleetAnswer;
import io.heatshield.fleet.FleetKey;
import io.heatshield.fleet.FleetMember;
import io.heatshield.fleet.FleetScope;
import io.heatshield.fleet.FleetView;
import io.heatshield.fleet.Saved;
import io.heatshield.insight.scope.FleetSource;
import io.heatshield.resp.Reply;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The reply to {@code HS.HOT [scope] [n] FLEET}: the hot keys of the whole fleet and its nodes, or
 * the reason why only this node's numbers are known.
 */
final class FleetReply {
  private record ScopedKey(FleetScope scope, FleetKey key) {
    double rate() {
      return key.estimate() * 1000.0 / scope.windowMillis();
    }
  }

  private FleetReply() {}

  /** Returns whether the last argument is FLEET and does not name a scope of this process. */
  static boolean isRequested(Call call) {
    int last = call.count() - 1;
    return last > 0
        && call.is(last, "fleet")
        && !(last == 1 && call.server().scopes().find(call.text(1)).isPresent());
  }

  static Reply of(Call call) {
    var query = HotQuery.parse(call, call.count() - 1);
    FleetSource source = call.server().scopes().fleet();
    FleetAnswer answer = source.answer();
    var reply =
        new MapReply()
            .add("fleet", source.fleet())
            .add("node", source.node())
            .add("local-only", answer.localOnly());
    FleetView view = answer.view();
    if (view != null) {
      List<FleetScope> scopes =
          view.scopes().stream().filter(one -> query.includes(one.scope())).toList();
      reply
          .add("age-ms", answer.ageMillis())
          .add("rebuilding", view.isRebuilding() ? 1 : 0)
          .add("nodes", Reply.array(view.members().stream().map(FleetReply::member).toList()))
          .add("savings", Reply.array(view.savings().stream().map(FleetReply::saved).toList()))
          .add("scopes", Reply.array(scopes.stream().map(FleetReply::scope).toList()))
          .add("keys", Reply.array(keys(scopes, query.limit())));
    }
    return reply.build();
  }

  private static List<Reply> keys(List<FleetScope> scopes, long limit) {
    return scopes.stream()
        .flatMap(scope -> scope.keys().stream().map(key -> new ScopedKey(scope, key)))
        .filter(one -> one.key().kind() != Verdict.Kind.COOL)
        .sorted(Comparator.comparingDouble(ScopedKey::rate).reversed())
        .limit(limit)
        .map(FleetReply::key)
        .toList();
  }

  private static Reply key(ScopedKey one) {
    FleetKey key = one.key();
    var shares = new MapReply();
    key.shares().forEach(share -> shares.add(share.node(), share.estimate()));
    return new MapReply()
        .add("scope", one.scope().scope())
        .add("key", key.key().toString())
        .add("state", key.kind().name().toLowerCase(Locale.ROOT))
        .add("rate", one.rate())
        .add("estimate", key.estimate())
        .add("error", key.error())
        .add("nodes", key.nodes())
        .add("shares", shares.build())
        .build();
  }

  private static Reply scope(FleetScope scope) {
    return new MapReply()
        .add("scope", scope.scope())
        .add("nodes", scope.nodes())
        .add("touches", scope.touches())
        .add("error-bound", scope.errorBound())
        .add("distinct", scope.distinct())
        .add("at-least", scope.atLeast() ? 1 : 0)
        .add("complete", scope.complete() ? 1 : 0)
        .build();
  }

  private static Reply saved(Saved saved) {
    return new MapReply()
        .add("action", saved.action())
        .add("saved", saved.saved())
        .add("would-have-saved", saved.wouldHaveSaved())
        .build();
  }

  private static Reply member(FleetMember member) {
    return new MapReply()
        .add("node", member.node())
        .add("state", member.state().name().toLowerCase(Locale.ROOT))
        .add("age-ms", member.ageMillis())
        .add("why", member.why())
        .build();
  }
}
