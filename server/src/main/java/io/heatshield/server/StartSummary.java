package io.heatshield.server;

import io.heatshield.key.KeyText;
import io.heatshield.server.config.Address;
import io.heatshield.server.config.LimitsSettings;
import io.heatshield.server.config.RedisSettings;
import io.heatshield.server.config.ServerSettings;
import io.heatshield.server.config.Settings;
import io.heatshield.server.config.StoreSettings;
import io.heatshield.server.config.TableSettings;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a server says of itself when it is up: what listens, what is guarded and in which mode. */
final class StartSummary {
  private StartSummary() {}

  static List<String> lines(Settings settings, String transport, URI http, Optional<Address> grpc) {
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
    LimitsSettings limits = settings.limits();
    if (limits != null) {
      lines.add(line("limits", limits(limits, settings.redis())));
    }
    List<String> waiting = configuredButNotServed(settings);
    if (!waiting.isEmpty()) {
      lines.add(line("not served", String.join(", ", waiting) + ": not part of this version"));
    }
    return lines;
  }

  private static String line(String name, String text) {
    return String.format(Locale.ROOT, "  %-12s %s", name, text);
  }

  private static String protection(ServerSettings settings) {
    String admin =
        settings.adminTokenFile() == null
            ? "changes off (no server.admin_token_file)"
            : "changes with the admin token";
    return wire(settings) + ", " + admin;
  }

  private static String wire(ServerSettings settings) {
    return settings.tls() == null
        ? "plaintext"
        : settings.tls().clientCa() == null ? "TLS" : "TLS, client certificates";
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

  /** Names what the file asks for and this version cannot do yet, so that nobody relies on it. */
  private static List<String> configuredButNotServed(Settings settings) {
    var waiting = new ArrayList<String>();
    settings.tables().stream()
        .map(TableSettings::name)
        .forEach(name -> waiting.add("table " + name));
    settings.stores().stream()
        .map(StoreSettings::name)
        .filter(name -> !name.equals("main"))
        .forEach(name -> waiting.add("store " + name));
    return waiting;
  }
}
