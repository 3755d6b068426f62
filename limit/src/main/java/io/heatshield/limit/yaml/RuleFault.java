package io.heatshield.limit.yaml;

/**
 * A fault in a rule file. Its texts are safe to print.
 *
 * @param line counted from 1; 0 for the whole file
 * @param sentence the message, as the Envoy rate-limit service words it where it has one
 */
public record RuleFault(String file, int line, String sentence) {

  /** Returns the fault as one line: {@code limits/basic.yaml:12: descriptor has empty key}. */
  @Override
  public String toString() {
    return file + (line == 0 ? "" : ":" + line) + ": " + sentence;
  }
}
