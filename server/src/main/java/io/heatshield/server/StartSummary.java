package io.heatshield.server;

import io.heatshield.config.Address;
import io.heatshield.config.FleetSettings;
import io.heatshield.config.LimitsSettings;
import io.heatshield.config.RedisSettings;
import io.heatshield.config.ServerSettings;
import io.heatshield.config.Settings;
import io.heatshield.config.ShieldSettings;
import io.heatshield.config.StoreSettings;
import io.heatshield.config.TableSettings;
import io.heatshield.key.KeyText;
import io.heatshield.runtime.Version;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a server says of itself when it is up: what listens, what is guarded and in which mode. */
final class StartSummary {
  private StartSummary() {}

  static List<String> lines(
      Settings settings, String transport, URI http, Optional<Address> grpc, Address resp) {
    var lines = new ArrayList<String>();
    lines.add(
        "heatshield "
            + Version.current()
            + " on Java "
            + Runtime.version().feature()
            + " ("
            + transport
            + ")");
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
    String who = settings.users().isEmpty() ? "no users" : "users " + settings.users().size();
    return wire(settings.server()) + ", " + who;
  }

  private static String limits(LimitsSettings settings, RedisSettings redis) {
    return "rules of "
        + KeyText.of(settings.config().toString())
        + (settings.backend() == LimitsSettings.Backend.MEMORY
            ? ", counters in memory"
            : ", counters in "
                + redis.url()
                + ", on_failure "
                + redis.onFailure().name().toLowerCase(Locale.ROOT)
                + ", hot keys "
                + settings.hotKeys().mode().name().toLowerCase(Locale.ROOT))
        + (settings.shadowMode() ? ", shadow mode: everything is answered OK" : "");
  }

  private static String shield(ShieldSettings shield) {
    return "in front of "
        + shield.url()
        + ", hot reads "
        + name(shield.hotReads().mode())
        + ", write limit "
        + name(shield.writeLimit().mode())
        + ", absence "
        + name(shield.cuckooFilter().mode());
  }

  private static String table(TableSettings table) {
    return table.name()
        + ", "
        + table.slots()
        + " slots, fed by "
        + KeyText.of(table.key())
        + table.rules().stream()
            .map(rule -> ", " + rule.name() + " " + name(rule.mode()))
            .collect(Collectors.joining());
  }
}
