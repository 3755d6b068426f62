package io.heatshield.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One result of a JMH run in average-time mode.
 *
 * @param name the benchmark as {@code Class.method/threads}, followed by its parameters if any
 * @param nanos nanoseconds per operation, the mean of all iterations
 * @param least nanoseconds per operation in the fastest iteration, the least disturbed one
 * @param error half of the 99.9 % interval, or NaN where JMH had too few samples
 * @param bytesPerOperation the allocation rate of the gc profiler, or NaN if it did not run
 */
record JmhResult(String name, double nanos, double least, double error, double bytesPerOperation) {
  private static final Pattern NAME = Pattern.compile("^\\s*\"([\\w.$]+)\"");
  private static final Pattern THREADS = Pattern.compile("\"threads\"\\s*:\\s*(\\d+)");
  private static final Pattern PARAMS = Pattern.compile("\"params\"\\s*:\\s*\\{([^}]*)}");
  private static final Pattern PARAM = Pattern.compile("\"(\\w+)\"\\s*:\\s*\"([^\"]*)\"");
  private static final Pattern SCORE =
      Pattern.compile("\"primaryMetric\"\\s*:\\s*\\{\\s*\"score\"\\s*:\\s*([^,\\s]+)");
  private static final Pattern ERROR = Pattern.compile("\"scoreError\"\\s*:\\s*\"?([^,\"\\s]+)");
  private static final Pattern UNIT = Pattern.compile("\"scoreUnit\"\\s*:\\s*\"([^\"]+)\"");
  private static final Pattern RAW = Pattern.compile("\"rawData\"\\s*:\\s*\\[([^a-zA-DF-Z\"]*)");
  private static final Pattern NUMBER = Pattern.compile("[0-9][0-9.E-]*");
  private static final Pattern ALLOCATED =
      Pattern.compile("gc\\.alloc\\.rate\\.norm\"\\s*:\\s*\\{\\s*\"score\"\\s*:\\s*([^,\\s]+)");

  /** Returns the results in a file that JMH wrote with {@code -rf json}. */
  static List<JmhResult> parse(String json) {
    List<JmhResult> results = new ArrayList<>();
    String[] parts = json.split("\"benchmark\"\\s*:", -1);
    for (int i = 1; i < parts.length; i++) {
      results.add(one(parts[i]));
    }
    return results;
  }

  private static JmhResult one(String part) {
    String unit = find(UNIT, part);
    if (!"ns/op".equals(unit)) {
      throw new IllegalArgumentException("scoreUnit must be ns/op: " + unit);
    }
    String full = require(find(NAME, part), "benchmark");
    String method = full.substring(full.lastIndexOf('.', full.lastIndexOf('.') - 1) + 1);
    String threads = require(find(THREADS, part), "threads");
    return new JmhResult(
        method + "/" + threads + params(part),
        Double.parseDouble(require(find(SCORE, part), "score")),
        least(require(find(RAW, part), "rawData")),
        Double.parseDouble(require(find(ERROR, part), "scoreError")),
        allocated(part));
  }

  private static double least(String raw) {
    return NUMBER
        .matcher(raw)
        .results()
        .mapToDouble(number -> Double.parseDouble(number.group()))
        .min()
        .orElseThrow(() -> new IllegalArgumentException("rawData must have a number: " + raw));
  }

  private static double allocated(String part) {
    String bytes = find(ALLOCATED, part);
    return bytes == null ? Double.NaN : Double.parseDouble(bytes);
  }

  private static String params(String part) {
    String params = find(PARAMS, part);
    if (params == null) {
      return "";
    }
    var text = new StringBuilder();
    Matcher matcher = PARAM.matcher(params);
    while (matcher.find()) {
      text.append(' ').append(matcher.group(1)).append('=').append(matcher.group(2));
    }
    return text.toString();
  }

  private static String require(@Nullable String found, String field) {
    if (found == null) {
      throw new IllegalArgumentException(field + " must be in every result");
    }
    return found;
  }

  private static @Nullable String find(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : null;
  }
}
