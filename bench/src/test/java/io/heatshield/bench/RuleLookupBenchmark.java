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
 * The rule for a descriptor among few and many rules. A hundred rules that are asked for in turn,
 * and read, show what the search costs; a thousand, spread over all, what the processor's caches
 * add; and those read as well, what the first look at a rule costs that is in no cache.
 *
 * <p>Descriptors are laid out as a door makes them: each text an object of its own, in the order of
 * use, and alike for few and many rules.
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

  /** Returns a text as a door has it from the wire, which is no constant. */
  private static String text(String constant) {
    return new String(constant.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
