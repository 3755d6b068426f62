package io.heatshield.config.settings;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** All settings of a server, complete and valid. */
public record Settings(
    @Setting(value = "{}", doc = "The ports and how they are protected.") ServerSettings server,
    @Setting(value = "{}", doc = "The Redis that holds shared state.") RedisSettings redis,
    @Setting(value = "{}", doc = "How hot keys are detected.") DetectSettings detect,
    @Setting(
            value = "null",
            doc = "The fleet that shares its counts with this process; absent: it counts alone.")
        @Nullable FleetSettings fleet,
    @Setting(value = "null", doc = "Rate limits; absent: the rate-limit service has no rules.")
        @Nullable LimitsSettings limits,
    @Setting(
            value = "[]",
            max = "64",
            live = true,
            doc = "Tables of the busiest clients; absent: none.")
        List<TableSettings> tables,
    @Setting(
            value = "[{name: main}]",
            max = "64",
            doc = "Guarded stores; absent: one memory store, main.")
        List<StoreSettings> stores,
    @Setting(
            value = "null",
            doc = "The shield in front of a Redis; it uses the RESP port, so there are no stores.")
        @Nullable ShieldSettings shield,
    @Setting(value = "[]", max = "1000", doc = "Users of the RESP port; absent: no authentication.")
        List<UserSettings> users,
    @Setting(value = "{}", doc = "The webhook that is called when a key turns hot or cool.")
        WebhookSettings webhook,
    @Setting(value = "{}", doc = "The price of a saved call.") SavingsSettings savings,
    @Setting(value = "{}", doc = "Metrics and spans for an OpenTelemetry collector.")
        TelemetrySettings telemetry,
    @Setting(value = "{}", doc = "The log.") LogSettings log) {

  /** Returns the stores of the RESP port: none if the shield uses it. */
  public List<StoreSettings> openStores() {
    return shield == null ? stores : List.of();
  }
}
