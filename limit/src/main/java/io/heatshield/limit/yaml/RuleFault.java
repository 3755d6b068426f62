package io.heatshield.limit.yaml;

/**
 * One thing that is wrong with a rule file, and where; its texts are safe to print.
 *
 * @param file the file as it was named
 * @param line counted from 1; 0 if the place is the whole file
 * @param sentence what is wrong, in the words of the Envoy rate-limit service where it has some
 */
public record RuleFault(String file, int line, String sentence) {

  /** Returns the fault as one line: {@code limits/basic.yaml:12: descriptor has empty key}. */
  @Override
  public String toString() {
    return file + (line == 0 ? "" : ":" + line) + ": " + sentence;
  }
}
