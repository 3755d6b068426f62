package io.heatshield.data.command.server;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.OpenStore;
import io.heatshield.data.command.Realm;
import io.heatshield.data.command.Stages;
import io.heatshield.data.command.Words;
import io.heatshield.resp.Reply;
import io.heatshield.runtime.Version;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** INFO: sections of lines, in the form that tools for Redis read. */
public final class InfoText {
  /** The Redis whose commands are spoken here, for clients that choose by version. */
  public static final String REDIS_VERSION = "7.0.15";

  private static final Set<String> EVERYTHING = Set.of("all", "default", "everything");

  private InfoText() {}

  static CompletableFuture<Reply> of(Call call) {
    var wanted = new ArrayList<String>();
    for (int i = 1; i < call.count(); i++) {
      wanted.add(Words.name(call.word(i)));
    }
    boolean everything = wanted.isEmpty() || wanted.stream().anyMatch(EVERYTHING::contains);
    CompletableFuture<List<Long>> sizes = CompletableFuture.completedFuture(List.of());
    for (OpenStore store : call.realm().stores()) {
      sizes = sizes.thenCombine(store.store().size().toCompletableFuture(), InfoText::with);
    }
    return Stages.map(
        sizes,
        counted -> {
          var text = new StringBuilder();
          sections(call.realm(), counted)
              .forEach(
                  (name, lines) -> {
                    if (everything || wanted.contains(name.toLowerCase(Locale.ROOT))) {
                      text.append(text.isEmpty() ? "" : "\r\n").append("# ").append(name);
                      lines.forEach(line -> text.append("\r\n").append(line));
                      text.append("\r\n");
                    }
                  });
          return Reply.text(text.toString());
        });
  }

  private static List<Long> with(List<Long> before, Long next) {
    var all = new ArrayList<>(before);
    all.add(next);
    return all;
  }

  private static Map<String, List<String>> sections(Realm realm, List<Long> sizes) {
    var runtime = ManagementFactory.getRuntimeMXBean();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    long touches =
        realm.stores().stream().mapToLong(store -> store.detector().stats().touches()).sum();
    var sections = new LinkedHashMap<String, List<String>>();
    sections.put(
        "Server",
        List.of(
            "redis_version:" + REDIS_VERSION,
            "heatshield_version:" + Version.current(),
            "redis_mode:standalone",
            "os:" + System.getProperty("os.name", ""),
            "process_id:" + runtime.getPid(),
            "uptime_in_seconds:" + TimeUnit.MILLISECONDS.toSeconds(runtime.getUptime())));
    sections.put("Clients", List.of("connected_clients:" + realm.clients().size()));
    sections.put(
        "Memory",
        List.of(
            "used_memory:" + heap,
            "maxmemory:" + Runtime.getRuntime().maxMemory(),
            "maxmemory_policy:noeviction"));
    sections.put("Persistence", List.of("loading:0"));
    sections.put("Stats", List.of("total_keys_touched:" + touches));
    sections.put("Replication", List.of("role:master", "connected_slaves:0"));
    sections.put("Cluster", List.of("cluster_enabled:0"));
    var stores = new ArrayList<String>();
    var heat = new ArrayList<String>();
    for (int i = 0; i < realm.stores().size(); i++) {
      OpenStore store = realm.stores().get(i);
      if (sizes.get(i) > 0) {
        stores.add("db" + i + ":keys=" + sizes.get(i) + ",expires=0,avg_ttl=0");
      }
      heat.add("store" + i + ":name=" + store.name() + ",hot=" + store.detector().stats().hot());
    }
    sections.put("Heatshield", heat);
    sections.put("Keyspace", stores);
    return sections;
  }
}
