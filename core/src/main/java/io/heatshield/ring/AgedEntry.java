package io.heatshield.ring;

/**
 * An entry without a window, whose counts decay or rotate: the total is the active generation's.
 */
final class AgedEntry extends TimedEntry {
  /** The warm generation's count; written only while held. */
  private volatile long warm;

  AgedEntry(long hash, byte scope, byte[] key, long beat) {
    super(hash, scope, key, beat);
  }

  @Override
  long move(long total, Beats beats, Moment moment) {
    int turns = moment.generationsSince(beat());
    if (turns >= 2) {
      warm = 0;
      return 0;
    }
    long decays = moment.beat() - beat() - turns;
    if (turns == 1) {
      warm = beats.decayed(total, decays);
      return 0;
    }
    warm = beats.decayed(warm, decays);
    return beats.decayed(total, decays);
  }

  @Override
  boolean hasRunOut(Beats beats, Moment moment) {
    long from = beat();
    int turns = moment.generationsSince(from);
    if (turns >= 2) {
      return true;
    }
    long active = state() & TOTAL;
    long most = turns == 1 ? active : Math.max(active, warm);
    return beats.decayed(most, Math.max(moment.beat() - from - turns, 0)) == 0;
  }

  @Override
  long roomNanos(long limit, Beats beats, Moment moment, long now) {
    long active = state() & TOTAL;
    long room = decayNanos(larger(active), limit, beats, moment, now);
    if (beats.rotates() && limit > 0) {
      // The next turn takes the warm count away, and the one after it the active.
      long turn = moment.rotationEnd() - now;
      long alone = Math.max(turn, decayNanos(active, limit, beats, moment, now));
      room = Math.min(room, Math.min(alone, turn + beats.rotationNanos()));
    }
    return Math.max(room, 0);
  }

  @Override
  long beside() {
    return warm;
  }

  /** Returns how long until decay alone brings a count below the limit. */
  private static long decayNanos(long count, long limit, Beats beats, Moment moment, long now) {
    if (limit > 0 && count < limit) {
      return 0;
    }
    if (limit <= 0 || !beats.decays()) {
      return Clamp.NEVER;
    }
    long steps = 1;
    while (beats.decayed(count, steps) >= limit) {
      steps++;
    }
    return moment.periodEnd() - now + (steps - 1) * beats.periodNanos();
  }
}
