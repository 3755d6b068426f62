package io.heatshield.bench;

import io.heatshield.limit.Algorithm;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.rule.Rule;
import io.heatshield.limit.rule.RuleSet;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The search for the rule of a descriptor among few and many rules. A hundred rules show the cost
 * of the search; a thousand, spread over all, show what cache misses add; reading the found rule as
 * well shows the cost of a rule that is in no cache.
 *
 * <p>Descriptors are laid out in memory as a port makes them: each text is its own object, in the
 * order of use, and in the same way for few and many rules.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RuleLookupBenchmark {
  private static final int ASKED = 1 << 10;
  private static final int OFTEN = 1 << 7;

  @Param({"1000", "100000"})
  int rules;

  private RuleSet set = RuleSet.empty();
  private List<List<DescriptorEntry>> paths = List.of();

  /** Compiles the rules, and picks descriptors evenly among them. */
  @Setup
  public void make() {
    var limit = new Limit(100, LimitUnit.SECOND, Algorithm.FIXED_WINDOW);
    set =
        RuleSet.of(
            Map.of(
                "api",
                IntStream.range(0, rules).mapToObj(i -> Rule.of("user", "u" + i, limit)).toList()));
    paths =
        IntStream.range(0, ASKED)
            .mapToObj(
                i -> List.of(new DescriptorEntry(text("user"), "u" + (long) i * rules / ASKED)))
            .toList();
  }

  @Benchmark
  public @Nullable Limit find(Cursor cursor) {
    return set.limit("api", paths.get((cursor.next() & (OFTEN - 1)) * (ASKED / OFTEN)));
  }

  @Benchmark
  public boolean findAnywhere(Cursor cursor) {
    return set.hasRule("api", paths.get(cursor.next() & (ASKED - 1)));
  }

  @Benchmark
  public @Nullable Limit findAnywhereAndRead(Cursor cursor) {
    return set.limit("api", paths.get(cursor.next() & (ASKED - 1)));
  }

  /** Returns a text as a port decodes it from the wire, which is not a constant. */
  private static String text(String constant) {
    return new String(constant.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
