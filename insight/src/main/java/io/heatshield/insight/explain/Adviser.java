package io.heatshield.insight.explain;

import static java.util.Objects.requireNonNull;

import io.heatshield.action.Mode;
import io.heatshield.config.settings.LimitsSettings;
import io.heatshield.config.settings.Settings;
import io.heatshield.config.settings.ShieldSettings;
import io.heatshield.config.settings.StoreSettings;
import io.heatshield.config.settings.Writers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Determines the cause of a hot key and recommends a protection.
 *
 * <p>A protection is recommended only if the kind of the key's scope has it. It is reported as in
 * effect only if it is enforced and has acted on this very key.
 */
final class Adviser {
  private final Settings settings;
  private final String scope;
  private final ScopeKind kind;
  private final double rate;
  private final Map<String, Mode> modes;
  private final List<KeyEffect> effects;

  /**
   * Creates the adviser of one key.
   *
   * @param modes the modes of the actions that can be applied to the key, by name
   * @param effects the actions that were applied to the key
   */
  Adviser(
      Settings settings,
      String scope,
      ScopeKind kind,
      double rate,
      Map<String, Mode> modes,
      List<KeyEffect> effects) {
    this.settings = settings;
    this.scope = scope;
    this.kind = kind;
    this.rate = rate;
    this.modes = modes;
    this.effects = effects;
  }

  Recommendation advise(@Nullable KeyUses uses) {
    Cause cause = Cause.of(uses);
    String says = uses == null ? unexplained() : says(cause, uses);
    Protection protection = protection(cause, uses);
    return protection == null
        ? new Recommendation(
            cause, says, withoutProtection(cause, uses), null, null, null, false, 0, 0)
        : recommend(cause, says, protection);
  }

  /** Returns the protection for the key, or null if its scope has none. */
  private @Nullable Protection protection(Cause cause, @Nullable KeyUses uses) {
    return switch (kind) {
      case COUNTED -> null;
      case LIMITS -> isLimitInRedis() ? Protection.COALESCE : null;
      case STORE, SHIELD ->
          switch (cause) {
            case SCANNER -> misses(uses) ? Protection.ABSENCE : null;
            case MISSING_KEY -> Protection.ABSENCE;
            case WRITE_STORM -> Protection.WRITE_LIMIT;
            case RUNAWAY_CLIENT, VIRAL_KEY ->
                isInMemory() && acted(Protection.HOT_READS) == 0 ? null : Protection.HOT_READS;
            case UNKNOWN -> null;
          };
    };
  }

  private Recommendation recommend(Cause cause, String says, Protection protection) {
    long acted = acted(protection);
    long would = wouldHaveActed(protection);
    boolean enforced = mode(protection) == Mode.ENFORCE;
    boolean inEffect = enforced && acted > 0;
    if (protection == Protection.ABSENCE && !enforced && hasOtherWriters()) {
      return exclusive(cause, says, would);
    }
    String advice;
    if (inEffect) {
      advice = protection.effect(acted);
    } else if (enforced) {
      advice = protection.advice() + " It is enforced, but has not acted on this key yet.";
    } else {
      advice =
          protection.advice()
              + (would > 0 ? format(" It would have acted %,d times on this key.", would) : "");
    }
    return new Recommendation(
        cause,
        says,
        advice,
        protection.path(kind, scope),
        "enforce",
        protection.line(kind, scope, ""),
        inEffect,
        acted,
        would);
  }

  /** Recommends exclusive writers, without which the filter only observes. */
  private Recommendation exclusive(Cause cause, String says, long would) {
    String part = kind == ScopeKind.STORE ? "stores[" + scope + "]" : "shield";
    return new Recommendation(
        cause,
        says,
        Protection.ABSENCE.advice() + " Set this only if all writers go through Heatshield.",
        part + ".writers",
        "exclusive",
        Protection.ABSENCE.line(kind, scope, "writers: exclusive, "),
        false,
        0,
        would);
  }

  private String withoutProtection(Cause cause, @Nullable KeyUses uses) {
    return switch (kind) {
      case COUNTED -> "Keys of this scope are only counted, so there is no protection to enable.";
      case LIMITS ->
          "Its counter is in the memory of this process, so it causes no calls to a store.";
      case STORE, SHIELD -> {
        if (uses == null) {
          yield "Without details no protection can be recommended; check again in a minute.";
        }
        yield cause == Cause.SCANNER
            ? "Its keys exist, so the store must serve them: limit this client at its source."
            : "Its value is already in the memory of this process, so reads are cheap.";
      }
    };
  }

  private String unexplained() {
    return switch (kind) {
      case STORE, SHIELD ->
          format("%,.0f requests/s; no detail kept: too many keys are hot.", rate);
      case LIMITS, COUNTED ->
          format("%,.0f requests/s; no detail kept for keys of this kind.", rate);
    };
  }

  private String says(Cause cause, KeyUses uses) {
    String callers = callers(uses.distinctClients());
    KeyUses.Caller caller = uses.busiest();
    return switch (cause) {
      case SCANNER ->
          format(
              "%s uses %,d keys, each about as often as this one: a scanner.",
              requireNonNull(caller).name(), caller.keys());
      case MISSING_KEY ->
          format(
              "%s of %,d reads find nothing, by %s: a missing key.",
              percent(uses.missShare()), uses.reads(), callers);
      case WRITE_STORM ->
          format(
              "%s of %,d requests are writes, by %s: a write storm.",
              percent(uses.writeShare()), uses.reads() + uses.writes(), callers);
      case RUNAWAY_CLIENT ->
          format(
              "%s of %,.0f requests/s are by %s, %s: a runaway client.",
              percent(requireNonNull(caller).share()), rate, caller.name(), callers);
      case VIRAL_KEY, UNKNOWN -> format("%,.0f requests/s by %s: viral.", rate, callers);
    };
  }

  private Mode mode(Protection protection) {
    return protection.actions().stream()
        .map(modes::get)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(Mode.OFF);
  }

  private long acted(Protection protection) {
    return sum(protection, KeyEffect::acted);
  }

  private long wouldHaveActed(Protection protection) {
    return sum(protection, KeyEffect::wouldHaveActed);
  }

  private long sum(Protection protection, ToLongFunction<KeyEffect> count) {
    return effects.stream()
        .filter(effect -> protection.actions().contains(effect.action()))
        .mapToLong(count)
        .sum();
  }

  private boolean isLimitInRedis() {
    LimitsSettings limits = settings.limits();
    return limits != null && limits.backend() == LimitsSettings.Backend.REDIS;
  }

  private boolean isInMemory() {
    return kind == ScopeKind.STORE
        && stored().filter(store -> store.engine() == StoreSettings.Engine.MEMORY).isPresent();
  }

  private boolean hasOtherWriters() {
    ShieldSettings shield = settings.shield();
    Writers writers =
        kind == ScopeKind.SHIELD
            ? shield == null ? null : shield.writers()
            : stored().map(StoreSettings::writers).orElse(null);
    return writers == Writers.SHARED;
  }

  private Optional<StoreSettings> stored() {
    return settings.openStores().stream().filter(store -> store.name().equals(scope)).findFirst();
  }

  private static boolean misses(@Nullable KeyUses uses) {
    return uses != null && uses.missShare() >= Cause.MOST_MISS;
  }

  private static String callers(long count) {
    return count <= 1 ? "1 caller" : format("about %,d callers", count);
  }

  private static String percent(double share) {
    return format("%.0f %%", 100 * share);
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
