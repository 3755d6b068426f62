package io.heatshield.data.command.hot;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Refused;
import io.heatshield.data.command.Words;
import io.heatshield.detect.Verdict;
import io.heatshield.fleet.FleetAnswer;
import io.heatshield.fleet.FleetKey;
import io.heatshield.fleet.FleetMember;
import io.heatshield.fleet.FleetScope;
import io.heatshield.fleet.FleetView;
import io.heatshield.fleet.NodeShare;
import io.heatshield.fleet.Saved;
import io.heatshield.insight.scope.FleetSource;
import io.heatshield.resp.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The answer to {@code HS.HOT [scope] [n] FLEET}: what is hot in the whole fleet, and its nodes; or
 * why this node's numbers are all that can be told.
 */
final class FleetReply {
  private static final String WORD = "FLEET";
  private static final int USUAL = 10;

  private record Placed(FleetScope scope, FleetKey key) {
    double rate() {
      return key.estimate() * 1000.0 / scope.windowMillis();
    }
  }

  private FleetReply() {}

  /** Returns whether the last word asks for the fleet and names no scope of this process. */
  static boolean isAsked(Call call) {
    int last = call.count() - 1;
    return last > 0
        && new String(call.word(last), StandardCharsets.UTF_8).equalsIgnoreCase(WORD)
        && !(last == 1 && call.realm().scopes().find(call.text(1)).isPresent());
  }

  static Reply of(Call call) {
    int words = call.count() - 1;
    if (words > 3) {
      throw new Refused(call.command().wrongCount());
    }
    boolean numbered = words == 3 || (words == 2 && Words.isInteger(call.word(1)));
    boolean named = words == 3 || (words == 2 && !numbered);
    long most = numbered ? Math.max(0, Words.integer(call.word(words - 1))) : USUAL;
    FleetSource source = call.realm().scopes().fleet();
    FleetAnswer answer = source.answer();
    var pairs = new ArrayList<Reply>();
    HeatCommands.add(pairs, "fleet", Reply.bulk(source.fleet()));
    HeatCommands.add(pairs, "node", Reply.bulk(source.node()));
    HeatCommands.add(pairs, "local-only", Reply.bulk(answer.localOnly()));
    FleetView view = answer.view();
    if (view != null) {
      HeatCommands.add(pairs, "age-ms", Reply.of(answer.ageMillis()));
      HeatCommands.add(pairs, "rebuilding", Reply.of(view.isRebuilding() ? 1L : 0L));
      HeatCommands.add(
          pairs, "nodes", Reply.array(view.members().stream().map(FleetReply::member).toList()));
      HeatCommands.add(
          pairs, "savings", Reply.array(view.savings().stream().map(FleetReply::saved).toList()));
      String scope = named ? call.text(1) : null;
      HeatCommands.add(
          pairs,
          "scopes",
          Reply.array(
              view.scopes().stream()
                  .filter(one -> scope == null || one.scope().equals(scope))
                  .map(FleetReply::scope)
                  .toList()));
      HeatCommands.add(pairs, "keys", Reply.array(keys(view, scope, most)));
    }
    return Reply.map(pairs);
  }

  private static List<Reply> keys(FleetView view, @Nullable String wanted, long most) {
    return view.scopes().stream()
        .filter(scope -> wanted == null || scope.scope().equals(wanted))
        .flatMap(
            scope ->
                scope.keys().stream()
                    .filter(key -> key.kind() != Verdict.Kind.COOL)
                    .map(key -> new Placed(scope, key)))
        .sorted(Comparator.comparingDouble(Placed::rate).reversed())
        .limit(most)
        .map(FleetReply::key)
        .toList();
  }

  private static Reply key(Placed one) {
    FleetKey key = one.key();
    var pairs = new ArrayList<Reply>();
    HeatCommands.add(pairs, "scope", Reply.bulk(one.scope().scope()));
    HeatCommands.add(pairs, "key", Reply.bulk(key.key().toString()));
    HeatCommands.add(pairs, "state", Reply.bulk(key.kind().name().toLowerCase(Locale.ROOT)));
    HeatCommands.add(pairs, "rate", Reply.of(one.rate()));
    HeatCommands.add(pairs, "estimate", Reply.of(key.estimate()));
    HeatCommands.add(pairs, "error", Reply.of(key.error()));
    HeatCommands.add(pairs, "nodes", Reply.of(key.nodes()));
    var shares = new ArrayList<Reply>();
    for (NodeShare share : key.shares()) {
      HeatCommands.add(shares, share.node(), Reply.of(share.estimate()));
    }
    HeatCommands.add(pairs, "shares", Reply.map(shares));
    return Reply.map(pairs);
  }

  private static Reply scope(FleetScope scope) {
    var pairs = new ArrayList<Reply>();
    HeatCommands.add(pairs, "scope", Reply.bulk(scope.scope()));
    HeatCommands.add(pairs, "nodes", Reply.of(scope.nodes()));
    HeatCommands.add(pairs, "touches", Reply.of(scope.touches()));
    HeatCommands.add(pairs, "error-bound", Reply.of(scope.errorBound()));
    HeatCommands.add(pairs, "distinct", Reply.of(scope.distinct()));
    HeatCommands.add(pairs, "at-least", Reply.of(scope.atLeast() ? 1L : 0L));
    HeatCommands.add(pairs, "complete", Reply.of(scope.complete() ? 1L : 0L));
    return Reply.map(pairs);
  }

  private static Reply saved(Saved saved) {
    var pairs = new ArrayList<Reply>();
    HeatCommands.add(pairs, "action", Reply.bulk(saved.action()));
    HeatCommands.add(pairs, "saved", Reply.of(saved.saved()));
    HeatCommands.add(pairs, "would-have-saved", Reply.of(saved.wouldHaveSaved()));
    return Reply.map(pairs);
  }

  private static Reply member(FleetMember member) {
    var pairs = new ArrayList<Reply>();
    HeatCommands.add(pairs, "node", Reply.bulk(member.node()));
    HeatCommands.add(pairs, "state", Reply.bulk(member.state().name().toLowerCase(Locale.ROOT)));
    HeatCommands.add(pairs, "age-ms", Reply.of(member.ageMillis()));
    HeatCommands.add(pairs, "why", Reply.bulk(member.why()));
    return Reply.map(pairs);
  }
}
