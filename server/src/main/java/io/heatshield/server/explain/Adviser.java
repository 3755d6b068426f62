package io.heatshield.server.explain;

import io.heatshield.action.Mode;
import io.heatshield.server.config.LimitsSettings;
import io.heatshield.server.config.Settings;
import io.heatshield.server.config.StoreSettings;
import io.heatshield.server.config.TableSettings;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Turns what is known about a hot key into one recommendation for the present settings. */
final class Adviser {
  private static final String MODE = "mode: enforce";
  private static final long SCANNED_KEYS = 300;

  private final Settings settings;
  private final String scope;
  private final double rate;

  Adviser(Settings settings, String scope, double rate) {
    this.settings = settings;
    this.scope = scope;
    this.rate = rate;
  }

  Recommendation advise(@Nullable KeyUses uses) {
    Cause cause = Cause.of(uses);
    return uses == null ? unknown() : known(cause, uses);
  }

  private Recommendation known(Cause cause, KeyUses uses) {
    return switch (cause) {
      case SCANNER -> scanner(Objects.requireNonNull(uses.busiest()));
      case MISSING_KEY -> missing(uses);
      case WRITE_STORM -> writes(uses);
      case RUNAWAY_CLIENT -> runaway(Objects.requireNonNull(uses.busiest()), uses);
      case VIRAL_KEY, UNKNOWN -> viral(uses);
    };
  }

  private Recommendation scanner(KeyUses.Caller caller) {
    return table(
        Cause.SCANNER,
        say(
            "%s goes through %,d keys and uses each about as often as this one: a scanner.",
            caller.name(), caller.keys()),
        "Count its targets in a table fed by its gateway or by HS.TOUCH, and block it there.",
        "scanner",
        "cardinality: { of: path }, ",
        "cardinality_above: " + SCANNED_KEYS,
        rule -> rule.when().cardinalityAbove() != null);
  }

  private Recommendation runaway(KeyUses.Caller caller, KeyUses uses) {
    long bound = Math.max(1, Math.round(rate / 10));
    return table(
        Cause.RUNAWAY_CLIENT,
        say(
            "%s of %,.0f uses/s are by %s, %s: a runaway client.",
            percent(caller.share()), rate, caller.name(), callers(uses.distinctClients())),
        "Hold it to a rate in a table fed by its gateway or by HS.TOUCH.",
        "flood",
        "",
        "rate_above: " + bound,
        rule -> rule.when().rateAbove() != null);
  }

  private Recommendation table(
      Cause cause,
      String says,
      String advice,
      String name,
      String counting,
      String condition,
      Predicate<TableSettings.Rule> there) {
    boolean inEffect =
        settings.tables().stream()
            .flatMap(table -> table.rules().stream())
            .anyMatch(rule -> rule.mode() == Mode.ENFORCE && there.test(rule));
    String rules =
        "[{ name: "
            + name
            + ", when: { "
            + condition
            + " }, action: [log, block], mode: observe }]";
    return new Recommendation(
        cause,
        says,
        advice,
        "tables",
        rules,
        "tables: [{ name: clients, key: remote_address, " + counting + "rules: " + rules + " }]",
        inEffect);
  }

  private Recommendation missing(KeyUses uses) {
    return store(
        Cause.MISSING_KEY,
        say(
            "%s of %,d reads find nothing, by %s: a missing key.",
            percent(uses.missShare()), uses.reads(), callers(uses.distinctClients())),
        "Let the filter answer for keys that are not there, and write the key or stop asking.",
        "cuckoo_filter",
        MODE,
        store -> store.cuckooFilter().enabled() && store.cuckooFilter().mode() == Mode.ENFORCE);
  }

  private Recommendation writes(KeyUses uses) {
    long perWindow = stored().map(store -> store.writeLimit().perWindow()).orElse(128L);
    return store(
        Cause.WRITE_STORM,
        say(
            "%s of %,d uses are writes, by %s: a write storm.",
            percent(uses.writeShare()),
            uses.reads() + uses.writes(),
            callers(uses.distinctClients())),
        "Refuse writes of one key past a limit, so that others get through.",
        "write_limit",
        MODE + ", per_window: " + perWindow,
        store -> store.writeLimit().mode() == Mode.ENFORCE);
  }

  private Recommendation viral(KeyUses uses) {
    long threshold = stored().map(store -> store.hotReads().threshold()).orElse(16L);
    return store(
        Cause.VIRAL_KEY,
        say("%,.0f uses/s by %s: viral.", rate, callers(uses.distinctClients())),
        "Answer reads of hot keys from memory.",
        "hot_reads",
        MODE + ", threshold: " + threshold,
        store -> store.hotReads().mode() == Mode.ENFORCE);
  }

  private Recommendation store(
      Cause cause,
      String says,
      String advice,
      String section,
      String values,
      Predicate<StoreSettings> there) {
    boolean inEffect = stored().filter(there).isPresent();
    return new Recommendation(
        cause,
        says,
        advice,
        "stores[" + scope + "]." + section + ".mode",
        "enforce",
        "stores: [{ name: " + scope + ", " + section + ": { " + values + " } }]",
        inEffect);
  }

  private Recommendation unknown() {
    LimitsSettings limits = settings.limits();
    return new Recommendation(
        Cause.UNKNOWN,
        say("%,.0f uses/s; who makes them is not told here.", rate),
        "Let calls for hot counters share one call to Redis.",
        "limits.hot_keys.mode",
        "enforce",
        "limits: { hot_keys: { mode: enforce } }",
        limits != null && limits.hotKeys().mode() == Mode.ENFORCE);
  }

  private Optional<StoreSettings> stored() {
    List<StoreSettings> stores = settings.stores();
    return stores.stream().filter(store -> store.name().equals(scope)).findFirst();
  }

  private static String callers(long count) {
    return count <= 1 ? "1 caller" : say("about %,d callers", count);
  }

  private static String percent(double share) {
    return say("%.0f %%", 100 * share);
  }

  private static String say(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
