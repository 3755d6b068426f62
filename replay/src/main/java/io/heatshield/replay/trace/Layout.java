package io.heatshield.replay.trace;

import io.heatshield.key.KeyText;
import io.heatshield.replay.trace.LineParser.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a trace looks like: its format, guessed from its first lines or given, and where key and
 * time stand in a line.
 *
 * @param guessed whether the format was guessed
 * @param header whether the first line names the columns
 * @param fields where key and time were found, in words; empty where the format says so itself
 */
record Layout(
    TraceFormat format, boolean guessed, LineParser parser, boolean header, String fields) {

  static final List<String> KEY_NAMES =
      List.of("key", "cache_key", "k", "object", "obj_id", "path", "url", "uri", "id", "name");
  private static final int SHOWN = 40;
  static final List<String> TIME_NAMES =
      List.of("time", "timestamp", "ts", "@timestamp", "t", "date", "datetime");

  /**
   * Returns the layout of a trace that begins with these lines.
   *
   * @throws IllegalArgumentException if the options name a field or column that is not there
   */
  static Layout of(List<byte[]> sample, TraceOptions options) {
    TraceFormat given = options.format();
    TraceFormat format = given == null ? guess(sample, options) : given;
    boolean guessed = given == null;
    return switch (format) {
      case KEYS -> new Layout(format, guessed, new KeyLines(), false, "");
      case MONITOR -> new Layout(format, guessed, new MonitorLines(), false, "");
      case ACCESS -> new Layout(format, guessed, new AccessLines(options.accessKey()), false, "");
      case JSON -> json(sample, options, guessed);
      case CSV -> CsvLayout.of(sample, options, guessed);
    };
  }

  /**
   * Returns why a trace with these first lines is hardly one, or null if it looks like one: it has
   * no lines, none is of the format that was given, or most are not like keys and the format was
   * guessed. Lines with a space or a control character are not like keys.
   */
  @Nullable String doubt(List<byte[]> sample) {
    if (sample.isEmpty()) {
      return "it holds no line.";
    }
    String first = "'" + shown(sample.get(0)) + "'";
    if (guessed && format == TraceFormat.KEYS) {
      long unlike = sample.stream().filter(Layout::isUnlikeAKey).count();
      return unlike * 2 > sample.size()
          ? "line 1, " + first + ", is not like a key, nor of another format."
          : null;
    }
    var touch = new Touch();
    boolean sound =
        sample.stream().anyMatch(line -> parser.parse(line, 0, line.length, touch) != Outcome.BAD);
    return sound
        ? null
        : "line 1, "
            + first
            + ", is not of the format "
            + format.name().toLowerCase(Locale.ROOT)
            + ".";
  }

  private static String shown(byte[] line) {
    return KeyText.of(Arrays.copyOf(line, Math.min(SHOWN, line.length)))
        + (line.length > SHOWN ? "…" : "");
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
    if (isMostly(sample, new JsonLines("", "", NumberUnit.AUTO))) {
      return TraceFormat.JSON;
    }
    if (isMostly(sample, new MonitorLines())) {
      return TraceFormat.MONITOR;
    }
    if (isMostly(sample, new AccessLines(AccessKey.PATH))) {
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
          "--key must name the field of the key: none of the usual ones is there");
    }
    String time = options.time();
    if (time == null) {
      time =
          TIME_NAMES.stream()
              .filter(name -> hasTime(sample, new JsonLines(key, name, options.unit())))
              .findFirst()
              .orElse("");
    }
    String fields =
        "key in field " + KeyText.of(key) + (time.isEmpty() ? "" : ", time in " + KeyText.of(time));
    return new Layout(
        TraceFormat.JSON, guessed, new JsonLines(key, time, options.unit()), false, fields);
  }

  private static @Nullable String firstKey(List<byte[]> sample) {
    var touch = new Touch();
    for (String name : KEY_NAMES) {
      var parser = new JsonLines(name, "", NumberUnit.AUTO);
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

  /** Returns whether more than half of the lines have a time where the parser looks for it. */
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
