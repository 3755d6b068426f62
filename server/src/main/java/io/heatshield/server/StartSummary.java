package io.heatshield.server;

import io.heatshield.config.settings.FleetSettings;
import io.heatshield.config.settings.LimitsSettings;
import io.heatshield.config.settings.RedisSettings;
import io.heatshield.config.settings.ServerSettings;
import io.heatshield.config.settings.Settings;
import io.heatshield.config.settings.ShieldSettings;
import io.heatshield.config.settings.StoreSettings;
import io.heatshield.config.settings.TableSettings;
import io.heatshield.config.value.Address;
import io.heatshield.key.KeyText;
import io.heatshield.runtime.Version;
import io.heatshield.runtime.memory.MemoryPlan;
import io.heatshield.runtime.memory.MemoryText;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The lines that a server prints after its start: its ports, and its protections with modes. */
final class StartSummary {
  private StartSummary() {}

  static List<String> lines(
      Settings settings,
      MemoryPlan memory,
      String transport,
      URI http,
      Optional<Address> grpc,
      Address resp) {
    var lines = new ArrayList<String>();
    lines.add(
        String.format(
            Locale.ROOT,
            "heatshield %s on Java %d (%s)",
            Version.current(),
            Runtime.version().feature(),
            transport));
    lines.add(line("http", http + "   " + protection(settings.server())));
    grpc.ifPresent(address -> lines.add(line("grpc", address + "   " + wire(settings.server()))));
    lines.add(line("resp", resp + "   " + data(settings)));
    LimitsSettings limits = settings.limits();
    if (limits != null) {
      lines.add(line("limits", limits(limits, settings.redis())));
    }
    FleetSettings fleet = settings.fleet();
    if (fleet != null) {
      lines.add(line("fleet", fleet.name() + ", by " + settings.redis().url()));
    }
    for (TableSettings table : settings.tables()) {
      lines.add(line("table", table(table)));
    }
    ShieldSettings shield = settings.shield();
    if (shield != null) {
      lines.add(line("shield", shield(shield)));
    }
    for (StoreSettings store : settings.openStores()) {
      lines.add(line("store", store.name() + ", " + name(store.engine())));
    }
    lines.add(line("memory", MemoryText.line(memory)));
    return lines;
  }

  private static String line(String name, String text) {
    return String.format(Locale.ROOT, "  %-12s %s", name, text);
  }

  private static String protection(ServerSettings settings) {
    String admin =
        settings.adminTokenFile() == null
            ? "read-only (no admin_token_file)"
            : "changes need the admin token";
    return wire(settings) + ", " + admin;
  }

  private static String wire(ServerSettings settings) {
    return settings.tls() == null
        ? "plaintext"
        : settings.tls().clientCa() == null ? "TLS" : "TLS, client certificates";
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static String data(Settings settings) {
    String users = settings.users().isEmpty() ? "no users" : "users " + settings.users().size();
    return wire(settings.server()) + ", " + users;
  }

  private static String limits(LimitsSettings settings, RedisSettings redis) {
    String counters =
        settings.backend() == LimitsSettings.Backend.MEMORY
            ? "memory"
            : String.format(
                Locale.ROOT,
                "%s, on_failure %s, hot keys %s",
                redis.url(),
                name(redis.onFailure()),
                name(settings.hotKeys().mode()));
    return String.format(
        Locale.ROOT,
        "rules of %s, counters in %s%s",
        KeyText.of(settings.config().toString()),
        counters,
        settings.shadowMode() ? ", shadow mode: everything is answered OK" : "");
  }

  private static String shield(ShieldSettings shield) {
    return String.format(
        Locale.ROOT,
        "in front of %s, hot reads %s, write limit %s, absence %s",
        shield.url(),
        name(shield.hotReads().mode()),
        name(shield.writeLimit().mode()),
        name(shield.cuckooFilter().mode()));
  }

  private static String table(TableSettings table) {
    return String.format(
        Locale.ROOT,
        "%s, %d slots, fed by %s%s",
        table.name(),
        table.slots(),
        KeyText.of(table.key()),
        table.rules().stream()
            .map(rule -> ", " + rule.name() + " " + name(rule.mode()))
            .collect(Collectors.joining()));
  }
}
