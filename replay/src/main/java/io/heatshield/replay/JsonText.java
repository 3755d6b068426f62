package io.heatshield.replay;

import java.util.Locale;

/** JSON as it is written: values one after the other, with commas where they belong. */
final class JsonText {
  private final StringBuilder text = new StringBuilder();
  private boolean first = true;

  JsonText open(char bracket) {
    separate();
    text.append(bracket);
    first = true;
    return this;
  }

  JsonText close(char bracket) {
    text.append(bracket);
    first = false;
    return this;
  }

  JsonText name(String name) {
    separate();
    quote(name);
    text.append(':');
    first = true;
    return this;
  }

  JsonText field(String name, String value) {
    name(name);
    quote(value);
    first = false;
    return this;
  }

  JsonText field(String name, long value) {
    name(name).text.append(value);
    first = false;
    return this;
  }

  JsonText field(String name, boolean value) {
    name(name).text.append(value);
    first = false;
    return this;
  }

  /** Writes a number that is finite in six significant decimals. */
  JsonText field(String name, double value) {
    name(name).text.append(String.format(Locale.ROOT, "%.6f", Double.isFinite(value) ? value : 0));
    first = false;
    return this;
  }

  /** Writes a number or null. */
  JsonText field(String name, @org.jspecify.annotations.Nullable Long value) {
    name(name).text.append(value);
    first = false;
    return this;
  }

  @Override
  public String toString() {
    return text.toString();
  }

  private void separate() {
    if (!first) {
      text.append(',');
    }
    first = false;
  }

  private void quote(String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029) {
        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}
