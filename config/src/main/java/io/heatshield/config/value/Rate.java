package io.heatshield.config.value;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A number of times per second, minute or hour, written like {@code 1/s}. */
public record Rate(double times, Per per) {
  private static final Pattern RATE = Pattern.compile("([^/]{1,64})/(s|m|h)");

  /** The unit of time of a rate. */
  public enum Per {
    S(1),
    M(60),
    H(3600);

    private final int seconds;

    Per(int seconds) {
      this.seconds = seconds;
    }

    Duration length() {
      return Duration.ofSeconds(seconds);
    }

    String letter() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Creates a rate, which must be finite and not negative. */
  public Rate {
    if (!(times >= 0) || Double.isInfinite(times)) {
      throw new IllegalArgumentException("times must be finite and not negative: " + times);
    }
  }

  /**
   * Parses a rate.
   *
   * @throws IllegalArgumentException if the text is not a rate
   */
  public static Rate parse(String text) {
    Matcher rate = RATE.matcher(text);
    if (!rate.matches()) {
      throw new InvalidValueException("must be a rate, for example 1/s, 30/m or 100/h");
    }
    double times = Numbers.readDouble(rate.group(1));
    if (times < 0 || text.startsWith("-")) {
      throw new InvalidValueException("a rate must not be negative");
    }
    return new Rate(times, Per.valueOf(rate.group(2).toUpperCase(Locale.ROOT)));
  }

  /** Returns the rate per second. */
  public double perSecond() {
    return times / per.seconds;
  }

  @Override
  public String toString() {
    return Numbers.text(times) + "/" + per.letter();
  }
}
