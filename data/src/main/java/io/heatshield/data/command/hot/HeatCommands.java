package io.heatshield.data.command.hot;

import io.heatshield.action.Action;
import io.heatshield.data.command.Call;
import io.heatshield.data.command.Command;
import io.heatshield.data.command.CommandException;
import io.heatshield.data.command.CommandGroup;
import io.heatshield.data.command.MapReply;
import io.heatshield.data.command.ServerContext;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.detect.KeyReport;
import io.heatshield.key.KeyText;
import io.heatshield.resp.Reply;
import io.heatshield.rls.table.ClientTable;
import io.heatshield.rls.table.ServerTables;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The commands of Heatshield: HS.HOT, HS.SAVINGS, HS.TOUCH, HS.TOP and HS.BLOCKED. */
public final class HeatCommands {
  private static final int MAX_KEYS = 1000;
  private static final int MAX_CLIENTS = 5;

  private record ScopedKey(String scope, KeyReport key) {}

  private HeatCommands() {}

  public static List<Command> all() {
    return new CommandGroup("heatshield")
        .call(
            "hs.hot -1 readonly 7.0.0 Returns the hottest keys of a scope, or of all, and why they"
                + " are hot; with FLEET those of the whole fleet.",
            HeatCommands::hot)
        .call(
            "hs.savings 1 readonly 7.0.0 Returns what each action saved or would have saved.",
            HeatCommands::savings)
        .call("hs.touch -3 write 7.0.0 Counts a use of a key in a table.", HeatCommands::touch)
        .call("hs.top 3 readonly 7.0.0 Returns the busiest keys of a table.", HeatCommands::top)
        .call(
            "hs.blocked 3 readonly 7.0.0 Returns the milliseconds until a key is no longer blocked,"
                + " 0 if it is not.",
            HeatCommands::blocked)
        .commands();
  }

  private static Reply hot(Call call) {
    if (FleetReply.isRequested(call)) {
      return FleetReply.of(call);
    }
    var query = HotQuery.parse(call, call.count());
    Map<String, HotKeyDetector> scopes = call.server().scopes().all();
    if (query.scope() != null && !scopes.containsKey(query.scope())) {
      throw new CommandException("ERR no such scope");
    }
    return Reply.array(
        scopes.entrySet().stream()
            .filter(scope -> query.includes(scope.getKey()))
            .flatMap(
                scope ->
                    scope.getValue().hot().stream().map(key -> new ScopedKey(scope.getKey(), key)))
            .sorted(Comparator.comparingDouble((ScopedKey one) -> one.key().rate()).reversed())
            .limit(Math.min(MAX_KEYS, query.limit()))
            .map(one -> describe(call.server(), one.scope(), one.key()))
            .toList());
  }

  private static Reply describe(ServerContext server, String scope, KeyReport key) {
    var reply =
        new MapReply()
            .add("scope", scope)
            .add("key", key.key().toString())
            .add("state", key.kind().name().toLowerCase(Locale.ROOT))
            .add("rate", key.rate())
            .add("estimate", key.estimate())
            .add("error", key.error());
    server
        .store(scope)
        .flatMap(store -> store.hot().find(key.key().keyedHash()))
        .ifPresent(context -> explain(reply, context));
    return reply.build();
  }

  private static void explain(MapReply reply, HotContext context) {
    List<HotContext.Share> commands = context.commands();
    reply
        .add("first-hot-ms", context.firstHotMillis())
        .add("peak-rate", context.peakRate())
        .add("reads", HotContext.uses(commands, false))
        .add("writes", HotContext.uses(commands, true))
        .add("bytes", context.bytes())
        .add("commands", shares(commands))
        .add("clients", shares(context.clients().stream().limit(MAX_CLIENTS).toList()))
        .add("distinct-clients", context.distinctClients());
  }

  private static Reply shares(List<HotContext.Share> shares) {
    var reply = new MapReply();
    shares.forEach(share -> reply.add(share.name(), share.uses()));
    return reply.build();
  }

  private static Reply savings(Call call) {
    return Reply.array(
        call.server().savings().snapshot().stream().map(HeatCommands::saved).toList());
  }

  private static Reply saved(Action.Snapshot action) {
    return new MapReply()
        .add("scope", action.scope())
        .add("action", action.name())
        .add("mode", action.mode().name().toLowerCase(Locale.ROOT))
        .add("applied", action.applied())
        .add("saved", action.saved())
        .add("would-have-applied", action.wouldHaveApplied())
        .add("would-have-saved", action.wouldHaveSaved())
        .build();
  }

  private static Reply touch(Call call) {
    call.checkMaxCount(5);
    long weight = call.count() > 3 ? call.integer(3) : 1;
    if (weight < 0) {
      throw new CommandException("ERR weight must not be negative");
    }
    String target = call.count() > 4 ? call.text(4) : null;
    ServerTables.Refused refused =
        call.server().tables().touch(table(call), call.text(2), weight, target);
    if (refused == null) {
      return Reply.OK;
    }
    long millis = TimeUnit.SECONDS.toMillis(refused.seconds());
    return Reply.error("BLOCKED key is blocked, retry in " + millis + " ms");
  }

  private static Reply top(Call call) {
    long n = call.integer(2);
    if (n < 1) {
      throw new CommandException("ERR n must be positive");
    }
    ClientTable table = table(call);
    boolean distinct = table.settings().cardinality() != null;
    return Reply.array(
        table.clients().top((int) Math.min(MAX_KEYS, n)).stream()
            .map(
                client -> {
                  var reply =
                      new MapReply()
                          .add("key", KeyText.of(client.key()))
                          .add("rate", client.rate());
                  if (distinct) {
                    reply.add("distinct", client.distinct().estimate());
                  }
                  return reply.build();
                })
            .toList());
  }

  private static Reply blocked(Call call) {
    long nanos = table(call).clients().check(call.arg(2)).retryAfter().toNanos();
    return Reply.of(nanos == 0 ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
  }

  private static ClientTable table(Call call) {
    return call.server()
        .tables()
        .find(call.text(1))
        .orElseThrow(() -> new CommandException("ERR no such table"));
  }
}
