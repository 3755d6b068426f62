package io.heatshield.cli.pairs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Real server processes in which every pair of settings occurs.
 *
 * <p>Each build runs a few combinations that change with the date, and {@code -P pairs} all of
 * them. {@code -Dpairs.seed} and {@code -Dpairs.row} repeat a failure, which names both.
 */
@Tag("thorough")
class CombinationsIT {
  private static final long SEED = Long.getLong("pairs.seed", today());
  private static final int SHOWN = 2_000;
  private static final List<Combination> ALL = Combination.all(SEED);

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private static Path folder;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Certificate certificate;

  @BeforeAll
  static void certify() {
    certificate = Certificate.in(folder);
  }

  static List<Integer> rows() {
    Integer one = Integer.getInteger("pairs.row");
    if (one != null) {
      return List.of(one);
    }
    var rows = new ArrayList<>(IntStream.range(0, ALL.size()).boxed().toList());
    String count = System.getProperty("pairs.rows", "4");
    if (count.equals("all")) {
      return rows;
    }
    Collections.shuffle(rows, new Random(SEED));
    return rows.subList(0, Math.min(rows.size(), Integer.parseInt(count)));
  }

  @ParameterizedTest
  @MethodSource("rows")
  @Timeout(600)
  void server_ofACombination_answersAsTheModelThroughKillsAndReloads(int row) throws Exception {
    Combination combination = ALL.get(row);
    Path own = Files.createDirectories(folder.resolve("row-" + row));

    try (var run = new CombinationRun(combination, own, certificate, SEED * 1000 + row)) {
      try {
        run.run();
      } catch (Exception | AssertionError e) {
        throw new AssertionError(message(row, combination, e, run.lastLines()), e);
      }
    }
  }

  private static long today() {
    return LocalDate.now(ZoneOffset.UTC).toEpochDay();
  }

  private static String message(int row, Combination combination, Throwable e, String lines) {
    String what = String.valueOf(e.getMessage());
    return String.format(
        Locale.ROOT,
        "row %d of seed %d: %s%n%s%nrepeat: mvn -B -ntp -P pairs verify -pl cli -am"
            + " -Dpairs.seed=%d -Dpairs.row=%d%nlast lines of the server:%n%s",
        row,
        SEED,
        combination,
        what.substring(0, Math.min(what.length(), SHOWN)),
        SEED,
        row,
        lines);
  }
}
