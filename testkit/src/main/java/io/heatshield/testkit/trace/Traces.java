package io.heatshield.testkit.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * The recorded traces that tests read: a small extract that is part of the repository, and whole
 * traces next to the checkout on machines that have them.
 *
 * <p>Whole traces are searched in {@code ../shared/traces} from the root of the checkout, which the
 * build passes as {@code house.root}; the system property {@code house.traces} names another
 * folder.
 */
public final class Traces {
  private static final String EXTRACT = "web07-extract.keys.gz";

  private Traces() {}

  /**
   * Opens the extract: the first 20,000 keys of the trace web07, (c) headissue GmbH, Jens Wilke,
   * licence CC BY 4.0; see NOTICE.txt in the same folder.
   */
  public static TraceReader openExtract() throws IOException {
    InputStream in = Traces.class.getResourceAsStream(EXTRACT);
    if (in == null) {
      throw new IllegalStateException(EXTRACT + " is not on the class path");
    }
    return TraceReader.open(EXTRACT, in);
  }

  /** Returns the path of a whole trace, if it exists. */
  public static Optional<Path> find(String file) {
    return find(System.getProperty("house.traces"), System.getProperty("house.root"), file);
  }

  /**
   * Opens a whole trace, or skips the running test with a message that names the searched folder.
   */
  public static TraceReader openOrSkip(String file) throws IOException {
    return openOrSkip(System.getProperty("house.traces"), System.getProperty("house.root"), file);
  }

  static TraceReader openOrSkip(@Nullable String folder, @Nullable String root, String file)
      throws IOException {
    Optional<Path> path = find(folder, root, file);
    if (path.isEmpty()) {
      return Assumptions.abort(
          "skipped: there is no trace "
              + file
              + directory(folder, root)
                  .map(place -> " in " + place)
                  .orElse(": neither house.traces nor house.root is set"));
    }
    return TraceReader.open(path.get());
  }

  static Optional<Path> find(@Nullable String folder, @Nullable String root, String file) {
    return directory(folder, root).map(place -> place.resolve(file)).filter(Files::isRegularFile);
  }

  private static Optional<Path> directory(@Nullable String folder, @Nullable String root) {
    if (folder != null) {
      return Optional.of(Path.of(folder).toAbsolutePath().normalize());
    }
    return Optional.ofNullable(root)
        .map(place -> Path.of(place, "..", "shared", "traces").toAbsolutePath().normalize());
  }
}
