package io.heatshield.config.value;

import java.util.regex.Pattern;

/**
 * A name by which clients call the HTTP port: {@code heatshield.example.com}, without a port.
 *
 * @param name the name, as it was written
 */
public record HostName(String name) {
  private static final int MOST_CHARACTERS = 253;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");

  /**
   * Parses a name.
   *
   * @throws IllegalArgumentException if the text is not a host name
   */
  public static HostName parse(String text) {
    if (text.length() > MOST_CHARACTERS || !NAME.matcher(text).matches()) {
      throw new InvalidValueException(
          "must be a host name without scheme and port, for example heatshield.example.com");
    }
    return new HostName(text);
  }

  @Override
  public String toString() {
    return name;
  }
}
