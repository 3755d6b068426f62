package io.heatshield.cli.replay;

import io.heatshield.cli.process.CannotRunException;
import io.heatshield.cli.process.FailureReason;
import io.heatshield.key.KeyText;
import io.heatshield.replay.Progress;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options of the commands that read a trace. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
public final class TraceArguments {
  private static final String STANDARD_INPUT = "-";
  private static final String FORMATS =
      """

      Formats: keys (one key per line), csv, json (one object per line), monitor (Redis MONITOR)
      and access (common or combined log), plain or compressed with gzip, xz or zstd.
      Set the format with --format, and the fields with --key and --time.\
      """;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      description = "The trace, plain or compressed with gzip, xz or zstd; - reads standard input.")
  private String file;

  @Option(
      names = "--format",
      paramLabel = "F",
      description =
          "keys, csv, json, monitor (Redis) or access (common or combined log). Default: guessed from"
              + " the first lines.")
  private @Nullable String format;

  @Option(
      names = "--key",
      paramLabel = "NAME",
      description = "The column or field of the key: a name, or for CSV a column number from 1.")
  private @Nullable String key;

  @Option(names = "--time", paramLabel = "NAME", description = "The column or field of the time.")
  private @Nullable String time;

  @Option(
      names = "--time-unit",
      paramLabel = "UNIT",
      defaultValue = "auto",
      description = "The unit of numeric times: s, ms, us or ns. Default: by magnitude.")
  private String timeUnit;

  @Option(
      names = "--key-of",
      paramLabel = "PART",
      defaultValue = "path",
      description = "The key in an access log: path, url (with query) or client. Default: path.")
  private String keyOf;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "10000",
      description =
          "The requests/s to assume for a trace without times. Default: ${DEFAULT-VALUE}.")
  private double rate;

  @Option(
      names = "--lines",
      paramLabel = "N",
      defaultValue = "" + Long.MAX_VALUE,
      description = "The maximum number of lines to read.")
  private long lines;

  /** Returns the printable name of the trace. */
  public String name() {
    return file.equals(STANDARD_INPUT) ? "standard input" : KeyText.of(file);
  }

  /** Returns the requests per second to assume for a trace without times. */
  public double rate() {
    return rate;
  }

  /** Processes a trace. */
  public interface Task<T> {
    T run(Trace trace, Progress progress) throws IOException;
  }

  /**
   * Opens the trace, runs a task on it with progress on standard error, and closes the trace.
   *
   * @throws ParameterException if an option is wrong
   * @throws CannotRunException if the trace cannot be read or is not a trace
   */
  public <T> T read(String name, Task<T> task) {
    try (Trace trace = open();
        var progress = ProgressReporter.start(name, spec.commandLine().getErr())) {
      return task.run(trace, progress);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new CannotRunException(name() + ": " + FailureReason.of(e));
    }
  }

  private Trace open() throws IOException {
    var options =
        new TraceOptions(
            formatOf(),
            key,
            time,
            constant(NumberUnit.class, "--time-unit", timeUnit),
            constant(AccessKey.class, "--key-of", keyOf),
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
      throw new CannotRunException(name() + " is not a trace: " + doubt + FORMATS);
    }
    return trace;
  }

  private @Nullable TraceFormat formatOf() {
    if (format == null) {
      return null;
    }
    boolean log = format.equals("common") || format.equals("combined");
    return log ? TraceFormat.ACCESS : constant(TraceFormat.class, "--format", format);
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String option, String word) {
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
