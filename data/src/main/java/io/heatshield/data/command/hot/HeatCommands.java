package io.heatshield.data.command.hot;

import io.heatshield.action.Action;
import io.heatshield.data.command.Call;
import io.heatshield.data.command.Command;
import io.heatshield.data.command.Realm;
import io.heatshield.data.command.Refused;
import io.heatshield.data.command.Words;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.detect.KeyReport;
import io.heatshield.resp.Reply;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The views and tables of Heatshield: HS.HOT, HS.SAVINGS, HS.TOUCH, HS.TOP and HS.BLOCKED. */
public final class HeatCommands {
  private static final int USUAL = 10;
  private static final int MOST = 1000;
  private static final int CLIENTS = 5;

  private HeatCommands() {}

  public static List<Command> all() {
    return List.of(
        Command.now(
            "hs.hot -1 readonly 0 0 0 heatshield 7.0.0 Returns the hottest keys of a scope, or of"
                + " all, and why they are hot; with FLEET those of the whole fleet.",
            HeatCommands::hot),
        Command.now(
            "hs.savings 1 readonly 0 0 0 heatshield 7.0.0 Returns what each action saved or would"
                + " have saved.",
            HeatCommands::savings),
        Command.now(
            "hs.touch -3 write 0 0 0 heatshield 7.0.0 Counts a use of a key in a table.",
            HeatCommands::touch),
        Command.now(
            "hs.top 3 readonly 0 0 0 heatshield 7.0.0 Returns the busiest keys of a table.",
            HeatCommands::top),
        Command.now(
            "hs.blocked 3 readonly 0 0 0 heatshield 7.0.0 Returns the milliseconds that a key stays"
                + " blocked, 0 if it is not.",
            HeatCommands::blocked));
  }

  private static Reply hot(Call call) {
    if (FleetReply.isAsked(call)) {
      return FleetReply.of(call);
    }
    if (call.count() > 3) {
      throw new Refused(call.command().wrongCount());
    }
    Map<String, HotKeyDetector> scopes = call.realm().scopes().all();
    int n = USUAL;
    if (call.count() == 3 || (call.count() == 2 && Words.isInteger(call.word(1)))) {
      n = (int) Math.max(0, Math.min(MOST, Words.integer(call.word(call.count() - 1))));
    }
    boolean named = call.count() == 3 || (call.count() == 2 && !Words.isInteger(call.word(1)));
    if (named && !scopes.containsKey(call.text(1))) {
      throw new Refused("ERR no such scope");
    }
    record Placed(String scope, KeyReport key) {}
    var all = new ArrayList<Placed>();
    scopes.forEach(
        (scope, detector) -> {
          if (!named || scope.equals(call.text(1))) {
            detector.hot().forEach(key -> all.add(new Placed(scope, key)));
          }
        });
    return Reply.array(
        all.stream()
            .sorted(Comparator.comparingDouble((Placed one) -> one.key().rate()).reversed())
            .limit(n)
            .map(one -> describe(call.realm(), one.scope(), one.key()))
            .toList());
  }

  private static Reply describe(Realm realm, String scope, KeyReport key) {
    var pairs = new ArrayList<Reply>();
    add(pairs, "scope", Reply.bulk(scope));
    add(pairs, "key", Reply.bulk(key.key().toString()));
    add(pairs, "state", Reply.bulk(key.kind().name().toLowerCase(Locale.ROOT)));
    add(pairs, "rate", Reply.of(key.rate()));
    add(pairs, "estimate", Reply.of(key.estimate()));
    add(pairs, "error", Reply.of(key.error()));
    realm
        .store(scope)
        .flatMap(store -> store.hot().find(key.hash()))
        .ifPresent(context -> explain(pairs, realm, context));
    return Reply.map(pairs);
  }

  private static void explain(List<Reply> pairs, Realm realm, HotContext context) {
    List<HotContext.Share> commands = context.commands(realm.table());
    add(pairs, "first-hot-ms", Reply.of(context.firstHotMillis()));
    add(pairs, "peak-rate", Reply.of(context.peakRate()));
    add(pairs, "reads", Reply.of(HotContext.uses(commands, false)));
    add(pairs, "writes", Reply.of(HotContext.uses(commands, true)));
    add(pairs, "bytes", Reply.of(context.bytes()));
    add(pairs, "commands", shares(commands));
    add(pairs, "clients", shares(context.clients().stream().limit(CLIENTS).toList()));
    add(pairs, "distinct-clients", Reply.of(context.distinctClients()));
  }

  private static Reply shares(List<HotContext.Share> shares) {
    var pairs = new ArrayList<Reply>();
    shares.forEach(share -> add(pairs, share.name(), Reply.of(share.uses())));
    return Reply.map(pairs);
  }

  private static Reply savings(Call call) {
    var rows = new ArrayList<Reply>();
    for (Action.Snapshot action : call.realm().savings().snapshot()) {
      var pairs = new ArrayList<Reply>();
      add(pairs, "scope", Reply.bulk(action.scope()));
      add(pairs, "action", Reply.bulk(action.name()));
      add(pairs, "mode", Reply.bulk(action.mode().name().toLowerCase(Locale.ROOT)));
      add(pairs, "applied", Reply.of(action.applied()));
      add(pairs, "saved", Reply.of(action.saved()));
      add(pairs, "would-have-applied", Reply.of(action.wouldHaveApplied()));
      add(pairs, "would-have-saved", Reply.of(action.wouldHaveSaved()));
      rows.add(Reply.map(pairs));
    }
    return Reply.array(rows);
  }

  private static Reply touch(Call call) {
    if (call.count() > 5) {
      throw new Refused(call.command().wrongCount());
    }
    long weight = call.count() > 3 ? Words.integer(call.word(3)) : 1;
    if (weight < 0) {
      throw new Refused("ERR weight must not be negative");
    }
    byte[] of = call.count() > 4 ? call.word(4) : null;
    return call.realm()
        .tables()
        .touch(call.text(1), call.word(2), weight, of)
        .map(
            millis ->
                millis == 0
                    ? Reply.OK
                    : Reply.error("BLOCKED key is blocked, retry in " + millis + " ms"))
        .orElseThrow(HeatCommands::noTable);
  }

  private static Reply top(Call call) {
    long n = Words.integer(call.word(2));
    if (n < 1) {
      throw new Refused("ERR n must be positive");
    }
    return call.realm()
        .tables()
        .top(call.text(1), (int) Math.min(MOST, n))
        .map(
            entries ->
                Reply.array(
                    entries.stream()
                        .map(
                            entry -> {
                              var pairs = new ArrayList<Reply>();
                              add(pairs, "key", Reply.bulk(entry.key()));
                              add(pairs, "rate", Reply.of(entry.rate()));
                              if (entry.distinct() >= 0) {
                                add(pairs, "distinct", Reply.of(entry.distinct()));
                              }
                              return Reply.map(pairs);
                            })
                        .toList()))
        .orElseThrow(HeatCommands::noTable);
  }

  private static Reply blocked(Call call) {
    return call.realm()
        .tables()
        .blockedMillis(call.text(1), call.word(2))
        .map(Reply::of)
        .orElseThrow(HeatCommands::noTable);
  }

  private static Refused noTable() {
    return new Refused("ERR no such table");
  }

  static void add(List<Reply> pairs, String name, Reply value) {
    pairs.add(Reply.bulk(name));
    pairs.add(value);
  }
}
