package io.heatshield.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.heatshield.cli.process.ExitCode;
import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.config.settings.StoreSettings;
import io.heatshield.runtime.json.JsonReader;
import io.heatshield.runtime.memory.MemoryPart;
import io.heatshield.runtime.memory.MemoryPlan;
import io.heatshield.server.memory.MemoryFit;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizeCommandTest {
  private static final double GIB = 1L << 30;

  @Test
  void size_of22BillionKeys_isAtMostTwoPercentAboveTheArithmetic() throws Exception {
    Map<?, ?> size = json("--items", "22e9", "--key-bytes", "36", "--fpr", "0.001");

    assertThat(number(size, "items")).isEqualTo(22e9);
    assertThat(number(part(size, "raw_keys"), "bytes")).isEqualTo(22e9 * 36);
    assertThat(number(part(size, "raw_keys"), "bits_per_key")).isEqualTo(288);
    assertThat(number(part(size, "bloom_filter"), "bits_per_key")).isCloseTo(14.378, within(0.001));
    Map<?, ?> cuckoo = part(size, "cuckoo_filter");
    assertThat(number(cuckoo, "fingerprint_bits")).isEqualTo(13);
    assertThat(number(cuckoo, "bits_per_key")).isBetween(13.68, 13.7 * 1.02);
    assertThat(number(cuckoo, "bytes") * 8 / 22e9).isEqualTo(number(cuckoo, "bits_per_key"));
    assertThat(number(cuckoo, "heap_bytes") + number(cuckoo, "direct_bytes"))
        .isEqualTo(number(cuckoo, "bytes"));
    assertThat(number(cuckoo, "false_positive_rate")).isBetween(0.0009, 0.001);
  }

  @Test
  void size_withMissesAndPrice_countsBoth() throws Exception {
    Map<?, ?> size = json("--items", "1e9", "--miss-rate", "1M/s", "--price-per-gib-month", "2.5");

    Map<?, ?> bloom = part(size, "bloom_filter");
    assertThat(number(bloom, "false_positives_per_second")).isCloseTo(1000, within(1e-6));
    assertThat(number(bloom, "cost_per_month"))
        .isCloseTo(number(bloom, "bytes") / GIB * 2.5, within(1e-6));
    assertThat(number(part(size, "raw_keys"), "false_positives_per_second")).isZero();
  }

  @Test
  void size_withoutMissesAndPrice_leavesThemOut() throws Exception {
    Map<?, ?> size = json("--items", "1e6");

    assertThat(part(size, "bloom_filter").get("false_positives_per_second")).isNull();
    assertThat(part(size, "bloom_filter").get("cost_per_month")).isNull();
    assertThat(size.get("value_bytes")).isNull();
  }

  @Test
  void size_ofABuild_isMeasuredHere() throws Exception {
    Map<?, ?> build = part(json("--items", "200K"), "build");

    assertThat(number(build, "measured_keys")).isPositive();
    assertThat(number(build, "seconds"))
        .isCloseTo(200_000 / number(build, "keys_per_second"), within(1e-6));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1%, ",
    "100K, 0.001, ",
    "100K, 0.001, 100",
    "50M, 0.0001, ",
    "1e9, 0.001, 1000",
    "22e9, 0.001, ",
  })
  void size_configuration_hasRoomForTheKeys(String items, String rate, String valueBytes)
      throws Exception {
    Map<?, ?> size =
        valueBytes == null
            ? json("--items", items, "--fpr", rate)
            : json("--items", items, "--fpr", rate, "--value-bytes", valueBytes);

    var valid =
        (LoadResult.Valid)
            new ConfigLoader(Map.of())
                .load("size", String.valueOf(size.get("configuration")).getBytes(UTF_8));
    StoreSettings store = valid.configuration().settings().stores().get(0);
    MemoryPlan plan = MemoryFit.roomy(valid.configuration());
    assertThat(store.engine())
        .isEqualTo(valueBytes == null ? StoreSettings.Engine.ROCKSDB : StoreSettings.Engine.MEMORY);
    assertThat((double) bytes(plan, "filter"))
        .isGreaterThanOrEqualTo(number(part(size, "cuckoo_filter"), "bytes"));
    if (valueBytes != null) {
      double least = number(size, "items") * (Long.parseLong(valueBytes) + 32);
      assertThat((double) bytes(plan, "data")).isGreaterThan(least);
    }
    Map<?, ?> server = part(size, "server");
    assertThat(number(server, "heap_bytes")).isEqualTo((double) plan.machine().heap());
    assertThat(number(server, "machine_bytes")).isGreaterThan(number(server, "heap_bytes"));
  }

  @Test
  void size_asText_showsTheThreeSideBySideAndTheConfiguration() {
    Invocation size =
        Invocation.of(
            "size",
            "--items",
            "22e9",
            "--key-bytes",
            "36",
            "--miss-rate",
            "1M/s",
            "--price-per-gib-month",
            "3");

    assertThat(size.code()).isEqualTo(ExitCode.OK);
    assertThat(size.err()).isEmpty();
    assertThat(size.out())
        .startsWith("22,000,000,000 keys of 36 bytes; false positive rate asked for: 0.1 %\n")
        .containsPattern(" +raw keys +Bloom filter +cuckoo filter\n")
        .containsPattern("memory +738 GiB +36.8 GiB +35.\\d GiB\n")
        .containsPattern("bits per key +288 +14.4 +13.\\d\n")
        .containsPattern("false positives/s at 1,000,000 misses/s +0 +1,000 +92\\d\n")
        .containsPattern("cost per month +2,213 +110 +10\\d\n")
        .containsPattern("build: about .* with one thread of this machine")
        .containsPattern("to provide .*-Xmx\\d+m.* on a machine with ")
        .contains("stores:\n  - name: keys\n    engine: rocksdb\n")
        .contains("      expected_items: 22000000000\n      false_positive_rate: 0.001\n");
  }

  @ParameterizedTest
  @CsvSource({
    "--items 22bn, --items must be a whole number",
    "--items 0, --items must be a whole number of 1 to",
    "--items 1 --fpr 2, --fpr must be above 0 and below 1",
    "--items 1 --fpr 1e-12, falsePositiveRate 1.0E-12 needs",
    "--items 1 --key-bytes x, --key-bytes must be a whole number",
    "--items 1 --value-bytes -1, --value-bytes must be a whole number of 0 to",
    "--items 1 --miss-rate 1/m, --miss-rate must be a rate per second",
    "--items 1 --price-per-gib-month cheap, --price-per-gib-month must be a number",
    "--items 1e12 --value-bytes 100, must fit into one store of 16TiB",
    "--key-bytes 5, missing required option: '--items=N'",
  })
  void size_badInput_isWrongUsageWithAHint(String arguments, String message) {
    Invocation size = Invocation.of(("size " + arguments).split(" "));

    assertThat(size.code()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(size.err()).contains(message).contains("Try 'heatshield size --help'.");
    assertThat(size.out()).isEmpty();
  }

  private static long bytes(MemoryPlan plan, String part) {
    return plan.parts().stream()
        .filter(one -> one.owner().equals("store keys") && one.name().equals(part))
        .mapToLong(MemoryPart::bytes)
        .sum();
  }

  private static Map<?, ?> json(String... options) throws Exception {
    String[] words = new String[options.length + 2];
    words[0] = "size";
    words[1] = "--json";
    System.arraycopy(options, 0, words, 2, options.length);
    Invocation size = Invocation.of(words);
    assertThat(size.code()).as(size.err()).isEqualTo(ExitCode.OK);
    return (Map<?, ?>) Objects.requireNonNull(JsonReader.read(size.out().getBytes(UTF_8)));
  }

  private static Map<?, ?> part(Map<?, ?> object, String name) {
    return (Map<?, ?>) Objects.requireNonNull(object.get(name));
  }

  private static double number(Map<?, ?> object, String name) {
    return ((Number) Objects.requireNonNull(object.get(name))).doubleValue();
  }
}
