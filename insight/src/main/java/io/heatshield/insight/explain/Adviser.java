package io.heatshield.insight.explain;

import io.heatshield.action.Mode;
import io.heatshield.config.LimitsSettings;
import io.heatshield.config.Settings;
import io.heatshield.config.ShieldSettings;
import io.heatshield.config.StoreSettings;
import io.heatshield.config.Writers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides what is said about a hot key: why it is hot, what has acted on it, and what to do.
 *
 * <p>The one rule: a protection is recommended only if it belongs to the part of the server that
 * the key comes through, and is called in effect only if it is enforced and has acted on this very
 * key.
 */
final class Adviser {
  private final Settings settings;
  private final String scope;
  private final WayIn way;
  private final double rate;
  private final Map<String, Mode> modes;
  private final List<KeyEffect> effects;

  /**
   * Creates the adviser of one key.
   *
   * @param modes the modes of the actions that can be applied to the key, by action
   * @param effects what was applied to the key
   */
  Adviser(
      Settings settings,
      String scope,
      WayIn way,
      double rate,
      Map<String, Mode> modes,
      List<KeyEffect> effects) {
    this.settings = settings;
    this.scope = scope;
    this.way = way;
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

  /** Returns what can protect the store from the key, or null if nothing in its way can. */
  private @Nullable Protection protection(Cause cause, @Nullable KeyUses uses) {
    return switch (way) {
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
      advice = protection.advice() + " This is enforced, but has not acted on this key yet.";
    } else {
      advice =
          protection.advice()
              + (would > 0 ? say(" It would have acted %,d times on this key.", would) : "");
    }
    return new Recommendation(
        cause,
        says,
        advice,
        protection.path(way, scope),
        "enforce",
        protection.line(way, scope, ""),
        inEffect,
        acted,
        would);
  }

  /** Recommends the filter where it only observes because writers may go past Heatshield. */
  private Recommendation exclusive(Cause cause, String says, long would) {
    String part = way == WayIn.STORE ? "stores[" + scope + "]" : "shield";
    return new Recommendation(
        cause,
        says,
        Protection.ABSENCE.advice()
            + " This is right only if all writers come through Heatshield: then say so.",
        part + ".writers",
        "exclusive",
        Protection.ABSENCE.line(way, scope, "writers: exclusive, "),
        false,
        0,
        would);
  }

  private String withoutProtection(Cause cause, @Nullable KeyUses uses) {
    return switch (way) {
      case COUNTED -> "Keys of this scope are only counted here: there is nothing to switch on.";
      case LIMITS -> "Its counter is in this process, so it costs no store a call.";
      case STORE, SHIELD -> {
        if (uses == null) {
          yield "Without that detail no protection can be chosen; look at it again in a minute.";
        }
        yield cause == Cause.SCANNER
            ? "Its keys exist, so the store must answer: limit this client where it comes from."
            : "Its value is in the memory of this process already, so reads of it are cheap.";
      }
    };
  }

  private String unexplained() {
    return switch (way) {
      case STORE, SHIELD ->
          say(
              "%,.0f requests/s; no detail kept: the places for hot keys' details were taken.",
              rate);
      case LIMITS, COUNTED -> say("%,.0f requests/s; no detail kept for keys of this kind.", rate);
    };
  }

  private String says(Cause cause, KeyUses uses) {
    String callers = callers(uses.distinctClients());
    return switch (cause) {
      case SCANNER -> {
        KeyUses.Caller caller = Objects.requireNonNull(uses.busiest());
        yield say(
            "%s goes through %,d keys and uses each about as often as this one: a scanner.",
            caller.name(), caller.keys());
      }
      case MISSING_KEY ->
          say(
              "%s of %,d reads find nothing, by %s: a missing key.",
              percent(uses.missShare()), uses.reads(), callers);
      case WRITE_STORM ->
          say(
              "%s of %,d requests are writes, by %s: a write storm.",
              percent(uses.writeShare()), uses.reads() + uses.writes(), callers);
      case RUNAWAY_CLIENT -> {
        KeyUses.Caller caller = Objects.requireNonNull(uses.busiest());
        yield say(
            "%s of %,.0f requests/s are by %s, %s: a runaway client.",
            percent(caller.share()), rate, caller.name(), callers);
      }
      case VIRAL_KEY, UNKNOWN -> say("%,.0f requests/s by %s: viral.", rate, callers);
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
    return effects.stream()
        .filter(effect -> protection.actions().contains(effect.action()))
        .mapToLong(KeyEffect::acted)
        .sum();
  }

  private long wouldHaveActed(Protection protection) {
    return effects.stream()
        .filter(effect -> protection.actions().contains(effect.action()))
        .mapToLong(KeyEffect::wouldHaveActed)
        .sum();
  }

  private boolean isLimitInRedis() {
    LimitsSettings limits = settings.limits();
    return limits != null && limits.backend() == LimitsSettings.Backend.REDIS;
  }

  private boolean isInMemory() {
    return way == WayIn.STORE
        && stored().filter(store -> store.engine() == StoreSettings.Engine.MEMORY).isPresent();
  }

  private boolean hasOtherWriters() {
    ShieldSettings shield = settings.shield();
    Writers writers =
        way == WayIn.SHIELD
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
    return count <= 1 ? "1 caller" : say("about %,d callers", count);
  }

  private static String percent(double share) {
    return say("%.0f %%", 100 * share);
  }

  private static String say(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
