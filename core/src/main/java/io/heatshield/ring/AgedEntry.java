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
    if (moment.generationsSince(beat()) >= 2) {
      return true;
    }
    long most = Math.max(state() & TOTAL, warm);
    return beats.decayed(most, Math.max(moment.beat() - beat() - 1, 0)) == 0;
  }

  @Override
  long roomNanos(long limit, Beats beats, Moment moment, long now) {
    long active = state() & TOTAL;
    long most = larger(active);
    if (most < limit) {
      return 0;
    }
    long room = Clamp.NEVER;
    if (beats.rotates()) {
      room = moment.rotationEnd() - now + (active < limit ? 0 : beats.rotationNanos());
    }
    if (beats.decays()) {
      long steps = 1;
      while (beats.decayed(most, steps) >= limit) {
        steps++;
      }
      room = Math.min(room, moment.periodEnd() - now + (steps - 1) * beats.periodNanos());
    }
    return Math.max(room, 0);
  }

  @Override
  long beside() {
    return warm;
  }
}
