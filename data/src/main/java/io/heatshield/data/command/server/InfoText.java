package io.heatshield.data.command.server;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.OpenStore;
import io.heatshield.data.command.Replies;
import io.heatshield.data.command.ServerContext;
import io.heatshield.resp.Reply;
import io.heatshield.runtime.Version;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** INFO: sections of lines, in the format of Redis. */
public final class InfoText {
  /** The version of Redis whose commands are supported, for clients that depend on it. */
  public static final String REDIS_VERSION = "7.0.15";

  private static final Set<String> EVERYTHING = Set.of("all", "default", "everything");

  private InfoText() {}

  static CompletableFuture<Reply> of(Call call) {
    Set<String> wanted =
        IntStream.range(1, call.count()).mapToObj(call::lower).collect(Collectors.toSet());
    boolean everything = wanted.isEmpty() || !Collections.disjoint(wanted, EVERYTHING);
    List<CompletableFuture<Long>> sizes =
        call.server().stores().stream()
            .map(store -> store.store().size().toCompletableFuture())
            .toList();
    return Replies.map(
        CompletableFuture.allOf(sizes.toArray(new CompletableFuture<?>[0])),
        done -> {
          Map<String, List<String>> sections =
              sections(call.server(), sizes.stream().map(CompletableFuture::join).toList());
          return Reply.text(
              sections.entrySet().stream()
                  .filter(it -> everything || wanted.contains(it.getKey().toLowerCase(Locale.ROOT)))
                  .map(it -> "# " + it.getKey() + "\r\n" + lines(it.getValue()))
                  .collect(Collectors.joining("\r\n")));
        });
  }

  private static String lines(List<String> lines) {
    return lines.stream().map(line -> line + "\r\n").collect(Collectors.joining());
  }

  private static Map<String, List<String>> sections(ServerContext server, List<Long> sizes) {
    var runtime = ManagementFactory.getRuntimeMXBean();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    long touches =
        server.stores().stream().mapToLong(store -> store.detector().stats().touches()).sum();
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
    sections.put("Clients", List.of("connected_clients:" + server.clients().size()));
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
    for (int i = 0; i < server.stores().size(); i++) {
      OpenStore store = server.stores().get(i);
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
