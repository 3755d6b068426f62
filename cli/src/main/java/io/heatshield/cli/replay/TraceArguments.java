package io.heatshield.cli.replay;

import io.heatshield.key.KeyText;
import io.heatshield.replay.trace.AccessKey;
import io.heatshield.replay.trace.NumberUnit;
import io.heatshield.replay.trace.Trace;
import io.heatshield.replay.trace.TraceFormat;
import io.heatshield.replay.trace.TraceOptions;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which trace a command reads, and how. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
public final class TraceArguments {
  private static final String STANDARD_INPUT = "-";
  private static final String FORMATS =
      """

      Formats: keys (one key a line), csv, json (one object a line), monitor (Redis MONITOR)
      and access (common or combined log), plain or packed by gzip, xz or zstd.
      --format says which it is, --key and --time name the fields.\
      """;

  @Parameters(
      paramLabel = "FILE",
      description = "The trace, plain or packed by gzip, xz or zstd; - reads the standard input.")
  private String file;

  @Option(
      names = "--format",
      paramLabel = "F",
      description =
          "keys, csv, json, monitor (Redis), access (common or combined log); guessed from the"
              + " first lines if not given.")
  private @Nullable String format;

  @Option(
      names = "--key",
      paramLabel = "NAME",
      description = "The column or field of the key: a name, or for CSV a number from 1.")
  private @Nullable String key;

  @Option(
      names = "--time",
      paramLabel = "NAME",
      description = "The column or field of the time, likewise.")
  private @Nullable String time;

  @Option(
      names = "--time-unit",
      paramLabel = "UNIT",
      defaultValue = "auto",
      description = "s, ms, us or ns, of times that are bare numbers; by magnitude if not given.")
  private String timeUnit;

  @Option(
      names = "--key-of",
      paramLabel = "PART",
      defaultValue = "path",
      description = "path, url (with its query) or client, of an access log; path if not given.")
  private String keyOf;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Requests/s of a trace without times, ${DEFAULT-VALUE} if not given.")
  private double rate;

  @Option(
      names = "--lines",
      paramLabel = "N",
      defaultValue = "" + Long.MAX_VALUE,
      description = "Reads at most this many lines.")
  private long lines;

  /** Returns the printable name of the trace. */
  public String name() {
    return file.equals(STANDARD_INPUT) ? "standard input" : KeyText.of(file);
  }

  /** Returns the rate that stands for times where the trace has none. */
  public double rate() {
    return rate;
  }

  /**
   * Opens the trace.
   *
   * @throws IllegalArgumentException if an option is wrong
   * @throws NotATraceException if the first lines are not those of a trace
   * @throws IOException if the trace cannot be read
   */
  public Trace open() throws IOException {
    var options =
        new TraceOptions(
            formatOf(),
            key,
            time,
            one(NumberUnit.class, "--time-unit", timeUnit),
            one(AccessKey.class, "--key-of", keyOf),
            rate,
            lines);
    Trace trace =
        file.equals(STANDARD_INPUT)
            ? Trace.open(
                new BufferedInputStream(new FileInputStream(FileDescriptor.in)), 0, options)
            : Trace.open(Path.of(file), options);
    String doubt = trace.doubt();
    if (doubt != null) {
      trace.close();
      throw new NotATraceException(name() + " is not a trace: " + doubt + FORMATS);
    }
    return trace;
  }

  private @Nullable TraceFormat formatOf() {
    if (format == null) {
      return null;
    }
    boolean log = format.equals("common") || format.equals("combined");
    return log ? TraceFormat.ACCESS : one(TraceFormat.class, "--format", format);
  }

  private static <E extends Enum<E>> E one(Class<E> type, String option, String word) {
    for (E value : type.getEnumConstants()) {
      if (value.name().toLowerCase(Locale.ROOT).equals(word)) {
        return value;
      }
    }
    String known =
        Arrays.stream(type.getEnumConstants())
            .map(value -> value.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    throw new IllegalArgumentException(option + " must be one of " + known + ": " + word);
  }
}
