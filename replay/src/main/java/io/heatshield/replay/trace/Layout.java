package io.heatshield.replay.trace;

import io.heatshield.key.KeyText;
import io.heatshield.replay.trace.LineParser.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The format of a trace, given or guessed from its first lines, and the positions of the key and
 * the time in a line.
 *
 * @param guessed whether the format was guessed
 * @param header whether the first line names the columns
 * @param fields where the key and the time were found; empty if the format defines it
 */
record Layout(
    TraceFormat format, boolean guessed, LineParser parser, boolean header, String fields) {

  static final List<String> KEY_NAMES =
      List.of("key", "cache_key", "k", "object", "obj_id", "path", "url", "uri", "id", "name");
  private static final int MAX_QUOTED = 40;
  static final List<String> TIME_NAMES =
      List.of("time", "timestamp", "ts", "@timestamp", "t", "date", "datetime");

  /**
   * Returns the layout of a trace that starts with these lines.
   *
   * @throws IllegalArgumentException if the options name a field or column that does not exist
   */
  static Layout of(List<byte[]> sample, TraceOptions options) {
    TraceFormat given = options.format();
    TraceFormat format = given == null ? guess(sample, options) : given;
    boolean guessed = given == null;
    return switch (format) {
      case KEYS -> new Layout(format, guessed, new KeyLineParser(), false, "");
      case MONITOR -> new Layout(format, guessed, new MonitorLineParser(), false, "");
      case ACCESS ->
          new Layout(format, guessed, new AccessLogParser(options.accessKey()), false, "");
      case JSON -> json(sample, options, guessed);
      case CSV -> CsvLayout.of(sample, options, guessed);
    };
  }

  /**
   * Returns why this is probably not a trace, or null if it looks like one. It is probably not a
   * trace if it has no lines, if no line matches the given format, or if no format matches and most
   * lines contain a space or a control character, which keys rarely do.
   */
  @Nullable String doubt(List<byte[]> sample) {
    if (sample.isEmpty()) {
      return "it has no lines.";
    }
    String first = "'" + quoted(sample.get(0)) + "'";
    if (guessed && format == TraceFormat.KEYS) {
      long unlike = sample.stream().filter(Layout::isUnlikeAKey).count();
      return unlike * 2 > sample.size()
          ? "line 1, " + first + ", does not look like a key or like any other format."
          : null;
    }
    var touch = new Touch();
    boolean sound =
        sample.stream().anyMatch(line -> parser.parse(line, 0, line.length, touch) != Outcome.BAD);
    return sound
        ? null
        : "line 1, "
            + first
            + ", does not match the format "
            + format.name().toLowerCase(Locale.ROOT)
            + ".";
  }

  private static String quoted(byte[] line) {
    return KeyText.of(Arrays.copyOf(line, Math.min(MAX_QUOTED, line.length)))
        + (line.length > MAX_QUOTED ? "…" : "");
  }

  private static boolean isUnlikeAKey(byte[] line) {
    for (byte one : line) {
      if ((one >= 0 && one <= ' ') || one == 0x7f) {
        return true;
      }
    }
    return false;
  }

  private static TraceFormat guess(List<byte[]> sample, TraceOptions options) {
    if (isMostly(sample, new JsonLineParser("", "", NumberUnit.AUTO))) {
      return TraceFormat.JSON;
    }
    if (isMostly(sample, new MonitorLineParser())) {
      return TraceFormat.MONITOR;
    }
    if (isMostly(sample, new AccessLogParser(AccessKey.PATH))) {
      return TraceFormat.ACCESS;
    }
    boolean named = options.key() != null || options.time() != null;
    return named || CsvLayout.looksLike(sample) ? TraceFormat.CSV : TraceFormat.KEYS;
  }

  private static boolean isMostly(List<byte[]> sample, LineParser parser) {
    var touch = new Touch();
    long sound =
        sample.stream()
            .filter(line -> parser.parse(line, 0, line.length, touch) != Outcome.BAD)
            .count();
    return !sample.isEmpty() && sound * 5 >= sample.size() * 4L;
  }

  private static Layout json(List<byte[]> sample, TraceOptions options, boolean guessed) {
    String key = options.key() == null ? firstKey(sample) : options.key();
    if (key == null) {
      throw new IllegalArgumentException(
          "--key must name the field of the key: the lines have no well-known key field");
    }
    String time = options.time();
    if (time == null) {
      time =
          TIME_NAMES.stream()
              .filter(name -> hasTime(sample, new JsonLineParser(key, name, options.unit())))
              .findFirst()
              .orElse("");
    }
    String fields =
        "key in field " + KeyText.of(key) + (time.isEmpty() ? "" : ", time in " + KeyText.of(time));
    return new Layout(
        TraceFormat.JSON, guessed, new JsonLineParser(key, time, options.unit()), false, fields);
  }

  private static @Nullable String firstKey(List<byte[]> sample) {
    var touch = new Touch();
    for (String name : KEY_NAMES) {
      var parser = new JsonLineParser(name, "", NumberUnit.AUTO);
      long found =
          sample.stream()
              .filter(line -> parser.parse(line, 0, line.length, touch) == Outcome.TOUCH)
              .count();
      if (found * 2 > sample.size()) {
        return name;
      }
    }
    return null;
  }

  /** Returns whether the parser finds a time in more than half of the lines. */
  static boolean hasTime(List<byte[]> sample, LineParser parser) {
    var touch = new Touch();
    long timed =
        sample.stream()
            .filter(
                line ->
                    parser.parse(line, 0, line.length, touch) == Outcome.TOUCH
                        && touch.nanos != Touch.NO_TIME)
            .count();
    return timed * 2 > sample.size();
  }
}
