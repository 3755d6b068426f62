package io.heatshield.server.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.config.ConfigLoader;
import io.heatshield.config.Configuration;
import io.heatshield.config.LoadResult;
import io.heatshield.config.value.ByteSize;
import io.heatshield.runtime.memory.MachineMemory;
import io.heatshield.runtime.memory.MemoryPart;
import io.heatshield.runtime.memory.MemoryPlan;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryFitTest {
  private static final long MEBIBYTE = 1 << 20;

  /** Stores for 12 billion keys, far larger than any test machine. */
  private static final String BILLIONS =
      """
      stores:
        - name: user-data
          max_memory: 100GB
          cuckoo_filter: { expected_items: 8000000000, memory_budget_percent: 10 }
        - name: sessions
          max_memory: 50GB
          cuckoo_filter: { expected_items: 4000000000, memory_budget_percent: 10 }
        - { name: cache, max_memory: 20GB }
      """;

  @ParameterizedTest
  @ValueSource(ints = {64, 96, 128, 256, 512, 1024})
  void of_defaultConfiguration_fitsSmallMachines(int heap) {
    MemoryFit fit = MemoryFit.of(configuration(""), quarter(heap));

    assertThat(fit.fits()).isTrue();
    assertThat(fit.lowered()).containsOnlyKeys("stores[main].max_memory");
    assertThat(fit.configuration().settings().stores().get(0).maxMemory().bytes())
        .isBetween(MEBIBYTE, 1L << 30);
    assertThat(fit.plan().fits()).isTrue();
  }

  @Test
  void of_defaultConfiguration_usesWhatIsLeftOfASmallHeap() {
    MemoryFit fit = MemoryFit.of(configuration(""), quarter(512));

    long memory = fit.configuration().settings().stores().get(0).maxMemory().bytes();
    assertThat(memory).isGreaterThan(300 * MEBIBYTE);
    assertThat(fit.configuration().effective())
        .filteredOn(setting -> setting.path().equals("stores[main].max_memory"))
        .extracting(setting -> setting.origin().toString())
        .containsExactly("default, lowered to fit the memory");
  }

  @ParameterizedTest
  @ValueSource(ints = {256, 384, 512, 1024})
  void of_defaultConfiguration_fitsTheContainerImage(int container) {
    long total = container * MEBIBYTE;
    // As in deploy/image: half of the container is the heap, and Java selects the serial collector.
    var machine = new MachineMemory(total / 2, total / 3, total / 2, total, "memory.max");

    assertThat(MemoryFit.of(configuration(""), machine).fits()).isTrue();
    assertThat(MemoryFit.of(configuration("limits: {}"), machine).fits()).isTrue();
    assertThat(MemoryFit.of(configuration("shield: { url: redis://a }"), machine).fits()).isTrue();
  }

  @Test
  void of_largeHeap_keepsTheDefaults() {
    Configuration configuration = configuration("");

    MemoryFit fit = MemoryFit.of(configuration, quarter(4096));

    assertThat(fit.lowered()).isEmpty();
    assertThat(fit.configuration()).isSameAs(configuration);
  }

  @Test
  void of_sizeInTheConfiguration_isNeverLowered() {
    MemoryFit fit =
        MemoryFit.of(configuration("stores: [{ name: a, max_memory: 1GiB }]"), quarter(512));

    assertThat(fit.fits()).isFalse();
    assertThat(String.join("\n", fit.refusalText()))
        .contains("store a: data", "922 MiB", "stores[a].max_memory")
        .containsPattern("give Java a larger heap, HEATSHIELD_JAVA_OPTS=-Xmx1\\d\\d\\dm")
        .containsPattern("or lower settings, for example stores\\[a\\].max_memory: \\d+MiB");
  }

  @Test
  void of_oneSizeIsWritten_onlyTheOtherIsLowered() {
    MemoryFit fit =
        MemoryFit.of(
            configuration("stores: [{ name: a, max_memory: 200MiB }, { name: b }]"), quarter(512));

    assertThat(fit.fits()).isTrue();
    assertThat(fit.lowered()).containsOnlyKeys("stores[b].max_memory");
  }

  @Test
  void of_billionsOfKeys_isRefusedWithAllParts() {
    MemoryFit fit = MemoryFit.of(configuration(BILLIONS), quarter(6 << 10));

    assertThat(fit.fits()).isFalse();
    assertThat(String.join("\n", fit.refusalText()))
        .contains("store user-data: data", "83.8 GiB", "store sessions: filter", "4.66 GiB")
        .contains("store cache: data", "too little", "on a machine or container with");
  }

  @Test
  void of_billionsOfKeys_fitALargeMachine() {
    MachineMemory large =
        new MachineMemory(220L << 30, 220L << 30, 220L << 30, 300L << 30, "this machine");

    assertThat(MemoryFit.of(configuration(BILLIONS), large).fits()).isTrue();
  }

  @Test
  void of_billionsOfKeysScaledDown_fitThisTest() {
    String small = BILLIONS.replace("GB", "MB").replace("000000000", "000000");

    assertThat(MemoryFit.of(configuration(small), quarter(512)).fits()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {128, 300, 512, 700, 3000, 6000})
  void of_refused_whatTheTextSuggestsFits(int heap) {
    MemoryFit refused = MemoryFit.of(configuration(BILLIONS), quarter(heap));

    MemoryFit.Remedy remedy = Objects.requireNonNull(refused.refusal());
    Map<String, String> suggested = remedy.fitting();

    assertThat(suggested).isNotEmpty();
    var lower = (LoadResult.Valid) configuration(BILLIONS).withDefaults(suggested);
    assertThat(MemoryFit.of(lower.configuration(), quarter(heap)).fits()).isTrue();
    assertThat(remedy.roomy().fitsHeap()).isTrue();
  }

  @Test
  void of_containerIsTooSmall_isRefused() {
    MachineMemory container =
        new MachineMemory(4L << 30, 4L << 30, 4L << 30, 2L << 30, "memory.max");

    MemoryFit fit =
        MemoryFit.of(configuration("stores: [{ name: a, max_memory: 3GiB }]"), container);

    assertThat(String.join("\n", fit.refusalText()))
        .containsPattern("needed in total.* there are 2.00 GiB in this container: too little")
        .contains("give Java a machine or container with");
  }

  @Test
  void of_manyCounters_areLoweredIfTheyAreTheDefault() {
    MemoryFit defaults = MemoryFit.of(configuration("limits: {}"), quarter(200));
    MemoryFit written =
        MemoryFit.of(configuration("limits: { max_counters: 10000000 }"), quarter(200));

    assertThat(defaults.lowered()).containsKey("limits.max_counters");
    assertThat(written.fits()).isFalse();
  }

  @Test
  void of_stores_takeNoMoreThanTheirMaximum() {
    for (String engine : new String[] {"memory", "rocksdb, path: ./d", "redis"}) {
      String redis = engine.equals("redis") ? "redis: { url: redis://127.0.0.1 }\n" : "";
      MemoryPlan plan =
          MemoryFit.of(
                  configuration(
                      redis + "stores: [{ name: a, max_memory: 1GiB, engine: " + engine + " }]"),
                  quarter(4096))
              .plan();

      long bytes =
          plan.parts().stream()
              .filter(part -> part.owner().equals("store a"))
              .mapToLong(MemoryPart::bytes)
              .sum();
      assertThat(bytes).as(engine).isBetween(900 * MEBIBYTE, (1L << 30) + MEBIBYTE);
    }
  }

  @Test
  void check_tooLarge_isAFaultThatSaysTheNumbers() {
    var loaded = new LoadResult.Valid(configuration(BILLIONS), List.of());

    LoadResult result = MemoryFit.check(loaded, configuration("").settings(), quarter(512));

    assertThat(result).isInstanceOf(LoadResult.Invalid.class);
    assertThat(((LoadResult.Invalid) result).faults().toString())
        .contains("the configuration needs", "GiB on the heap, but there are 461 MiB")
        .contains("-Xmx", "stores[user-data].max_memory: ");
  }

  @Test
  void check_runningDefaultsWereLowered_keepsThemAndRefusesWhatHasNoRoomBesideThem() {
    Configuration running = MemoryFit.of(configuration(""), quarter(512)).configuration();
    String few = "tables: [{ name: a, slots: 1000, max_blocks: 100 }]";
    String many = "tables: [{ name: a, slots: 200000 }]";

    LoadResult fits = check(few, running, 512);
    LoadResult refused = check(many, running, 512);

    assertThat(fits).isInstanceOf(LoadResult.Valid.class);
    assertThat(((LoadResult.Valid) fits).configuration().settings().stores())
        .isEqualTo(running.settings().stores());
    assertThat(refused).isInstanceOf(LoadResult.Invalid.class);
    assertThat(MemoryFit.of(configuration(many), quarter(512)).fits()).isTrue();
  }

  @Test
  void check_writtenSizes_areThoseOfTheFile() {
    Configuration running = MemoryFit.of(configuration(""), quarter(512)).configuration();

    LoadResult smaller = check("stores: [{ name: main, max_memory: 20MiB }]", running, 512);

    assertThat(((LoadResult.Valid) smaller).configuration().settings().stores().get(0).maxMemory())
        .isEqualTo(new ByteSize(20 * MEBIBYTE));
  }

  private static LoadResult check(String text, Configuration running, int heap) {
    var loaded = new LoadResult.Valid(configuration(text), List.of());
    return MemoryFit.check(loaded, running.settings(), quarter(heap));
  }

  /** Returns a machine whose heap, a quarter of it, has a number of mebibytes. */
  private static MachineMemory quarter(int heapMebibytes) {
    long heap = heapMebibytes * MEBIBYTE;
    long old = heapMebibytes < 448 ? heap / 3 * 2 : heap;
    return new MachineMemory(heap, old, heap, 4 * heap, "this machine");
  }

  private static Configuration configuration(String text) {
    LoadResult result =
        new ConfigLoader(Map.of()).load("test.yaml", text.getBytes(StandardCharsets.UTF_8));
    if (result instanceof LoadResult.Valid valid) {
      return valid.configuration();
    }
    throw new AssertionError(((LoadResult.Invalid) result).faults());
  }
}
