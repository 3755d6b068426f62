package io.heatshield.config.value;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rate of touches per second, minute or hour, written like {@code 500}, which is per second, or
 * {@code 30/m}.
 */
public record TouchRate(long touches, Rate.Per per) {
  private static final Pattern RATE = Pattern.compile("(0|[1-9][0-9]{0,9})(/(s|m|h))?");

  /** Creates a rate. */
  public TouchRate {
    if (touches < 0 || touches > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("touches must be 0 to 2147483647: " + touches);
    }
  }

  /**
   * Parses a rate.
   *
   * @throws IllegalArgumentException if the text is not such a rate
   */
  public static TouchRate parse(String text) {
    Matcher rate = RATE.matcher(text);
    long touches = rate.matches() ? Long.parseLong(rate.group(1)) : -1;
    if (touches < 0 || touches > Integer.MAX_VALUE) {
      throw new InvalidValueException(
          "must be a whole rate from 0 to 2147483647, for example 500 for each second, or 30/m");
    }
    String unit = rate.group(3);
    return new TouchRate(
        touches, unit == null ? Rate.Per.S : Rate.Per.valueOf(unit.toUpperCase(Locale.ROOT)));
  }

  /** Returns the touches per second, rounded up. */
  public long inOneSecond() {
    long seconds = length().toSeconds();
    return (touches + seconds - 1) / seconds;
  }

  /** Returns the length of the unit of time. */
  public Duration length() {
    return per.length();
  }

  @Override
  public String toString() {
    return per == Rate.Per.S ? Long.toString(touches) : touches + "/" + per.letter();
  }
}
