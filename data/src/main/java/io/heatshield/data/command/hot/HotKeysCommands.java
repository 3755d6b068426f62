package io.heatshield.data.command.hot;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Command;
import io.heatshield.data.command.CommandException;
import io.heatshield.data.command.CommandGroup;
import io.heatshield.data.command.MapReply;
import io.heatshield.data.command.ServerContext;
import io.heatshield.data.command.server.CpuTime;
import io.heatshield.detect.KeyReport;
import io.heatshield.resp.Reply;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** HOTKEYS, in the dialect of Redis 8.6 or of Valkey 9.2. */
public final class HotKeysCommands {
  private static final int COUNT = 10;
  private static final int MOST_COUNT = 64;
  private static final int MOST_SECONDS = 1_000_000;
  private static final int METRICS = 2;
  private static final long LAST_SLOT = 16_383;

  private HotKeysCommands() {}

  public static List<Command> all() {
    var children =
        new CommandGroup("server", "noscript")
            .call(
                "hotkeys|start -2 - 8.6.0 Starts to track time and bytes by key.",
                HotKeysCommands::start)
            .call(
                "hotkeys|stop 2 - 8.6.0 Stops to track; the result is kept.", HotKeysCommands::stop)
            .call("hotkeys|reset 2 - 8.6.0 Discards the result.", HotKeysCommands::reset)
            .call("hotkeys|get 2 - 8.6.0 Returns the result.", HotKeysCommands::get);
    return new CommandGroup("server")
        .container("hotkeys -2 - 8.6.0 Tracks the most expensive keys.", children)
        .commands();
  }

  private static Reply start(Call call) {
    HotKeys keys = call.server().hotKeys();
    if (keys.isValkey()) {
      throw new CommandException("ERR unknown subcommand 'start'. Try HOTKEYS HELP.");
    }
    if (keys.running() != null) {
      throw inProgress();
    }
    if (call.count() < 4 || !call.is(2, "metrics")) {
      throw new CommandException("ERR METRICS parameter is required");
    }
    String error = "ERR METRICS count must be > 0 and <= " + METRICS;
    if (!keys.start(options(call, (int) call.integer(3, 1, METRICS, error)))) {
      throw inProgress();
    }
    return Reply.OK;
  }

  private static CommandException inProgress() {
    return new CommandException("ERR hotkey tracking session already in progress");
  }

  private static HotSession.Options options(Call call, int metrics) {
    boolean cpu = false;
    boolean net = false;
    int at = 4;
    for (; at < call.count() && at < 4 + metrics; at++) {
      if (call.is(at, "cpu")) {
        refuseTwice(cpu, "CPU");
        cpu = true;
      } else if (call.is(at, "net")) {
        refuseTwice(net, "NET");
        net = true;
      }
    }
    if (at != 4 + metrics) {
      throw new CommandException(
          "ERR METRICS count does not match number of metric types provided");
    }
    if (!cpu && !net) {
      throw new CommandException("ERR METRICS no valid metrics passed. Supported: CPU|NET");
    }
    long count = COUNT;
    long seconds = 0;
    long sample = 1;
    for (; at < call.count(); at += 2) {
      boolean more = at + 1 < call.count();
      if (more && call.is(at, "count")) {
        count = call.integer(at + 1, 1, MOST_COUNT, "ERR COUNT must be between 1 and 64");
      } else if (more && call.is(at, "duration")) {
        seconds =
            call.integer(at + 1, 1, MOST_SECONDS, "ERR DURATION must be between 1 and 1000000");
      } else if (more && call.is(at, "sample")) {
        sample = call.integer(at + 1, 1, Integer.MAX_VALUE, "ERR SAMPLE ratio must be positive");
      } else if (more && call.is(at, "slots")) {
        throw new CommandException("ERR SLOTS parameter cannot be used in non-cluster mode");
      } else {
        throw new CommandException(CommandException.SYNTAX);
      }
    }
    return new HotSession.Options(cpu, net, (int) count, seconds * 1000, (int) sample);
  }

  private static void refuseTwice(boolean already, String metric) {
    if (already) {
      throw new CommandException("ERR METRICS " + metric + " defined more than once!");
    }
  }

  private static Reply stop(Call call) {
    HotKeys keys = call.server().hotKeys();
    if (keys.isValkey()) {
      throw new CommandException("ERR unknown subcommand 'stop'. Try HOTKEYS HELP.");
    }
    HotSession running = keys.running();
    if (running == null) {
      return Reply.NULL;
    }
    running.stop(keys.nowMillis());
    return Reply.OK;
  }

  private static Reply reset(Call call) {
    HotKeys keys = call.server().hotKeys();
    if (keys.isValkey()) {
      keys.restart(call.server().stores());
      return Reply.OK;
    }
    if (keys.running() != null) {
      throw new CommandException("ERR hotkey tracking session in progress, stop tracking first");
    }
    keys.forget();
    return Reply.OK;
  }

  private static Reply get(Call call) {
    HotKeys keys = call.server().hotKeys();
    if (keys.isValkey()) {
      return rates(call);
    }
    HotSession session = keys.session();
    if (session != null) {
      return Reply.array(List.of(describe(session, keys.nowMillis())));
    }
    return keys.isAlwaysOn() ? detected(call) : Reply.NULL;
  }

  private static Reply describe(HotSession session, long now) {
    HotSession.Options options = session.options;
    var reply =
        new MapReply()
            .add("tracking-active", session.isActive(now) ? 1 : 0)
            .add("sample-ratio", options.sample())
            .add("selected-slots", slots())
            .add("all-commands-all-slots-us", session.allMicros())
            .add("net-bytes-all-commands-all-slots", session.allBytes())
            .add("collection-start-time-unix-ms", session.startMillis)
            .add("collection-duration-ms", session.durationMillis(now));
    if (options.cpu()) {
      CpuTime cpu = CpuTime.now().since(session.startCpu);
      reply.add("total-cpu-time-user-ms", cpu.userMillis());
      reply.add("total-cpu-time-sys-ms", cpu.systemMillis());
    }
    if (options.net()) {
      reply.add("total-net-bytes", session.sampledBytes());
    }
    if (options.cpu()) {
      reply.add("by-cpu-time-us", totals(session.byNanos(), 1000));
    }
    if (options.net()) {
      reply.add("by-net-bytes", totals(session.byBytes(), 1));
    }
    return reply.build();
  }

  private static Reply totals(List<KeyTotals.Total> totals, long unit) {
    var pairs = new ArrayList<Reply>();
    for (KeyTotals.Total total : totals) {
      pairs.add(Reply.bulk(total.key()));
      pairs.add(Reply.of((total.total() + unit - 1) / unit));
    }
    return Reply.array(pairs);
  }

  /** Returns the keys of the detector, which counts touches and neither time nor bytes. */
  private static Reply detected(Call call) {
    ServerContext server = call.server();
    List<KeyReport> hot =
        server.stores().stream()
            .flatMap(store -> store.detector().hot().stream())
            .sorted(Comparator.comparingLong(KeyReport::estimate).reversed())
            .limit(COUNT)
            .toList();
    if (hot.isEmpty()) {
      return Reply.NULL;
    }
    long window = server.stores().get(0).detector().settings().window().toMillis();
    List<KeyTotals.Total> touches =
        hot.stream().map(key -> new KeyTotals.Total(key.key().bytes(), key.estimate())).toList();
    Reply reply =
        new MapReply()
            .add("tracking-active", 0)
            .add("sample-ratio", 1)
            .add("selected-slots", slots())
            .add("all-commands-all-slots-us", 0)
            .add("net-bytes-all-commands-all-slots", 0)
            .add("collection-start-time-unix-ms", server.clock().millis() - window)
            .add("collection-duration-ms", window)
            .add("by-touches", totals(touches, 1))
            .build();
    return Reply.array(List.of(reply));
  }

  private static Reply rates(Call call) {
    HotKeys keys = call.server().hotKeys();
    Stream<HotKeys.Rated> all =
        call.server().stores().stream()
            .flatMap(
                store ->
                    store.detector().top(MOST_COUNT).stream().map(key -> keys.rated(store, key)));
    return Reply.array(
        all.filter(rated -> rated.rate() > 0)
            .sorted(Comparator.comparingDouble(HotKeys.Rated::rate).reversed())
            .limit(MOST_COUNT)
            .map(HotKeysCommands::rate)
            .toList());
  }

  private static Reply rate(HotKeys.Rated rated) {
    return new MapReply()
        .add("key", Reply.bulk(rated.key().key().bytes()))
        .add("db", rated.store().index())
        .add("qps", Math.round(rated.rate()))
        .build();
  }

  private static Reply slots() {
    return Reply.array(List.of(Reply.array(List.of(Reply.ZERO, Reply.of(LAST_SLOT)))));
  }
}
