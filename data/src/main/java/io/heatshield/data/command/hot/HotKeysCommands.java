package io.heatshield.data.command.hot;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Command;
import io.heatshield.data.command.HelpText;
import io.heatshield.data.command.Realm;
import io.heatshield.data.command.Refused;
import io.heatshield.data.command.Words;
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
    return List.of(
        Command.container(
            "hotkeys -2 - 0 0 0 server 8.6.0 Tracks the keys that cost most.",
            null,
            List.of(
                Command.now(
                    "hotkeys|start -2 noscript 0 0 0 server 8.6.0 Starts to track time and bytes by"
                        + " key.",
                    HotKeysCommands::start),
                Command.now(
                    "hotkeys|stop 2 noscript 0 0 0 server 8.6.0 Stops to track; the result stays.",
                    HotKeysCommands::stop),
                Command.now(
                    "hotkeys|reset 2 noscript 0 0 0 server 8.6.0 Forgets what was tracked.",
                    HotKeysCommands::reset),
                Command.now(
                    "hotkeys|get 2 noscript 0 0 0 server 8.6.0 Returns what was tracked.",
                    HotKeysCommands::get),
                HelpText.command("hotkeys"))));
  }

  private static Reply start(Call call) {
    HotKeys keys = call.realm().hotKeys();
    if (keys.dialect() == HotKeys.Dialect.VALKEY) {
      throw new Refused("ERR unknown subcommand 'start'. Try HOTKEYS HELP.");
    }
    if (keys.running() != null) {
      throw inProgress();
    }
    if (call.count() < 4 || !call.is(2, "metrics")) {
      throw new Refused("ERR METRICS parameter is required");
    }
    HotSession.Options options = options(call, (int) metrics(call));
    if (!keys.start(options)) {
      throw inProgress();
    }
    return Reply.OK;
  }

  private static Refused inProgress() {
    return new Refused("ERR hotkey tracking session already in progress");
  }

  private static long metrics(Call call) {
    return range(call, 3, METRICS, "ERR METRICS count must be > 0 and <= " + METRICS);
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
      throw new Refused("ERR METRICS count does not match number of metric types provided");
    }
    if (!cpu && !net) {
      throw new Refused("ERR METRICS no valid metrics passed. Supported: CPU|NET");
    }
    long count = COUNT;
    long seconds = 0;
    long sample = 1;
    for (; at < call.count(); at += 2) {
      boolean more = at + 1 < call.count();
      if (more && call.is(at, "count")) {
        count = range(call, at + 1, MOST_COUNT, "ERR COUNT must be between 1 and 64");
      } else if (more && call.is(at, "duration")) {
        seconds = range(call, at + 1, MOST_SECONDS, "ERR DURATION must be between 1 and 1000000");
      } else if (more && call.is(at, "sample")) {
        sample = range(call, at + 1, Integer.MAX_VALUE, "ERR SAMPLE ratio must be positive");
      } else if (more && call.is(at, "slots")) {
        throw new Refused("ERR SLOTS parameter cannot be used in non-cluster mode");
      } else {
        throw new Refused(Refused.SYNTAX);
      }
    }
    return new HotSession.Options(cpu, net, (int) count, seconds * 1000, (int) sample);
  }

  private static void refuseTwice(boolean already, String metric) {
    if (already) {
      throw new Refused("ERR METRICS " + metric + " defined more than once!");
    }
  }

  private static long range(Call call, int place, long most, String error) {
    long value = Words.integer(call.word(place), error);
    if (value < 1 || value > most) {
      throw new Refused(error);
    }
    return value;
  }

  private static Reply stop(Call call) {
    HotKeys keys = call.realm().hotKeys();
    if (keys.dialect() == HotKeys.Dialect.VALKEY) {
      throw new Refused("ERR unknown subcommand 'stop'. Try HOTKEYS HELP.");
    }
    HotSession running = keys.running();
    if (running == null) {
      return Reply.NULL;
    }
    running.stop(keys.nowMillis());
    return Reply.OK;
  }

  private static Reply reset(Call call) {
    HotKeys keys = call.realm().hotKeys();
    if (keys.dialect() == HotKeys.Dialect.VALKEY) {
      keys.restart(call.realm().stores());
      return Reply.OK;
    }
    if (keys.running() != null) {
      throw new Refused("ERR hotkey tracking session in progress, stop tracking first");
    }
    keys.forget();
    return Reply.OK;
  }

  private static Reply get(Call call) {
    HotKeys keys = call.realm().hotKeys();
    if (keys.dialect() == HotKeys.Dialect.VALKEY) {
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
    var pairs = new ArrayList<Reply>();
    add(pairs, "tracking-active", session.isActive(now) ? 1 : 0);
    add(pairs, "sample-ratio", options.sample());
    add(pairs, "selected-slots", slots());
    add(pairs, "all-commands-all-slots-us", session.allMicros());
    add(pairs, "net-bytes-all-commands-all-slots", session.allBytes());
    add(pairs, "collection-start-time-unix-ms", session.startMillis);
    add(pairs, "collection-duration-ms", session.durationMillis(now));
    if (options.cpu()) {
      CpuTime cpu = CpuTime.now().since(session.startCpu);
      add(pairs, "total-cpu-time-user-ms", cpu.userMillis());
      add(pairs, "total-cpu-time-sys-ms", cpu.systemMillis());
    }
    if (options.net()) {
      add(pairs, "total-net-bytes", session.sampledBytes());
    }
    if (options.cpu()) {
      add(pairs, "by-cpu-time-us", totals(session.byNanos(), 1000));
    }
    if (options.net()) {
      add(pairs, "by-net-bytes", totals(session.byBytes(), 1));
    }
    return Reply.map(pairs);
  }

  private static Reply totals(List<KeyTotals.Total> totals, long unit) {
    var pairs = new ArrayList<Reply>();
    for (KeyTotals.Total total : totals) {
      pairs.add(Reply.bulk(total.key()));
      pairs.add(Reply.of((total.total() + unit - 1) / unit));
    }
    return Reply.array(pairs);
  }

  /** Tells what the detector knows, which counts touches and neither time nor bytes. */
  private static Reply detected(Call call) {
    Realm realm = call.realm();
    List<KeyReport> hot =
        realm.stores().stream()
            .flatMap(store -> store.detector().hot().stream())
            .sorted(Comparator.comparingLong(KeyReport::estimate).reversed())
            .limit(COUNT)
            .toList();
    if (hot.isEmpty()) {
      return Reply.NULL;
    }
    long window = realm.stores().get(0).detector().settings().window().toMillis();
    var touches = new ArrayList<Reply>();
    for (KeyReport key : hot) {
      touches.add(Reply.bulk(key.key().bytes()));
      touches.add(Reply.of(key.estimate()));
    }
    var pairs = new ArrayList<Reply>();
    add(pairs, "tracking-active", 0);
    add(pairs, "sample-ratio", 1);
    add(pairs, "selected-slots", slots());
    add(pairs, "all-commands-all-slots-us", 0);
    add(pairs, "net-bytes-all-commands-all-slots", 0);
    add(pairs, "collection-start-time-unix-ms", realm.clock().millis() - window);
    add(pairs, "collection-duration-ms", window);
    add(pairs, "by-touches", Reply.array(touches));
    return Reply.array(List.of(Reply.map(pairs)));
  }

  private static Reply rates(Call call) {
    HotKeys keys = call.realm().hotKeys();
    Stream<HotKeys.Rated> all =
        call.realm().stores().stream()
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
    var pairs = new ArrayList<Reply>();
    add(pairs, "key", Reply.bulk(rated.key().key().bytes()));
    add(pairs, "db", rated.store().index());
    add(pairs, "qps", Math.round(rated.rate()));
    return Reply.map(pairs);
  }

  private static Reply slots() {
    return Reply.array(List.of(Reply.array(List.of(Reply.ZERO, Reply.of(LAST_SLOT)))));
  }

  private static void add(List<Reply> pairs, String name, long value) {
    add(pairs, name, Reply.of(value));
  }

  private static void add(List<Reply> pairs, String name, Reply value) {
    pairs.add(Reply.bulk(name));
    pairs.add(value);
  }
}
