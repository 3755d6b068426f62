package io.heatshield.server.memory;

import io.heatshield.config.Configuration;
import io.heatshield.config.LoadResult;
import io.heatshield.config.settings.Settings;
import io.heatshield.config.yaml.Fault;
import io.heatshield.config.yaml.Origin;
import io.heatshield.runtime.memory.MachineMemory;
import io.heatshield.runtime.memory.MemoryArea;
import io.heatshield.runtime.memory.MemoryPlan;
import io.heatshield.runtime.memory.MemoryText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The memory plan of a configuration on a machine.
 *
 * <p>If the plan does not fit, the sizes that have their defaults are lowered by one common factor.
 * A size in the file is never changed: if it does not fit, the configuration is refused.
 *
 * @param configuration the configuration, with the lowered defaults
 * @param plan its plan
 * @param lowered the lowered defaults, as in the file, by path
 * @param refusal what would make the configuration fit, or null if it fits
 */
public record MemoryFit(
    Configuration configuration,
    MemoryPlan plan,
    Map<String, String> lowered,
    @Nullable Remedy refusal) {

  /**
   * The ways to make a configuration fit.
   *
   * @param roomy the plan with a heap that is large enough
   * @param fitting the sizes with which the configuration would fit, as in the file, by path
   */
  record Remedy(MemoryPlan roomy, Map<String, String> fitting) {}

  /** Fits a configuration to a machine. */
  public static MemoryFit of(Configuration configuration, MachineMemory machine) {
    return of(configuration, configuration::isDefault, machine);
  }

  private static MemoryFit of(
      Configuration configuration, Predicate<String> mayLower, MachineMemory machine) {
    Settings settings = configuration.settings();
    MemorySizes sizes = MemorySizes.of(settings);
    MemoryPlan plan = PlannedMemory.of(settings, sizes, machine);
    if (plan.fits()) {
      return new MemoryFit(configuration, plan, Map.of(), null);
    }
    Optional<MemorySizes> fitted =
        sizes
            .largest(mayLower, next -> PlannedMemory.of(settings, next, machine).fitsWithSpare())
            .or(
                () ->
                    sizes.largest(
                        mayLower, next -> PlannedMemory.of(settings, next, machine).fits()));
    if (fitted.isEmpty()) {
      return refused(configuration, sizes, mayLower, machine);
    }
    Map<String, String> lowered = fitted.get().lowerThan(sizes);
    MemoryPlan fits = PlannedMemory.of(settings, fitted.get(), machine);
    return new MemoryFit(withDefaults(configuration, lowered), fits, lowered, null);
  }

  private static Configuration withDefaults(
      Configuration configuration, Map<String, String> values) {
    if (configuration.withDefaults(values) instanceof LoadResult.Valid valid) {
      return valid.configuration();
    }
    throw new IllegalStateException("lowered defaults must be valid: " + values);
  }

  /**
   * Returns the plan of a configuration on a machine that is just large enough for it, and on which
   * nothing is lowered.
   */
  public static MemoryPlan roomy(Configuration configuration) {
    MachineMemory here = MachineMemory.ofServer();
    return roomy(configuration.settings(), MemorySizes.of(configuration.settings()), 0, here);
  }

  /** Returns the plan with a heap that is large enough, and not smaller than another. */
  private static MemoryPlan roomy(
      Settings settings, MemorySizes sizes, long leastHeap, MachineMemory machine) {
    long needed = PlannedMemory.of(settings, sizes, machine).heapNeeded();
    return PlannedMemory.of(settings, sizes, machine.withHeap(Math.max(leastHeap, needed)));
  }

  /**
   * Passes a configuration that fits beside what is running; otherwise returns a fault. Sizes that
   * are not written keep their running values, because no component can shrink before a restart.
   *
   * @param running the settings in force
   */
  static LoadResult check(LoadResult.Valid loaded, Settings running, MachineMemory machine) {
    Map<String, String> inForce = MemorySizes.of(running).texts();
    Configuration next = loaded.configuration();
    var kept = new LinkedHashMap<>(inForce);
    kept.keySet().removeIf(path -> !next.isDefault(path));
    // Without those that are the defaults, which keep their origin.
    MemorySizes.of(next.settings()).texts().forEach(kept::remove);
    Configuration merged = kept.isEmpty() ? next : withDefaults(next, kept);
    MemoryFit fit =
        of(merged, path -> merged.isDefault(path) && !inForce.containsKey(path), machine);
    Remedy remedy = fit.refusal;
    if (remedy == null) {
      return new LoadResult.Valid(fit.configuration, loaded.warnings());
    }
    var fault = new Fault(Origin.DEFAULT, "", fit.shortage(), fit.hint(remedy));
    return new LoadResult.Invalid(List.of(fault), loaded.warnings());
  }

  private static MemoryFit refused(
      Configuration configuration,
      MemorySizes sizes,
      Predicate<String> mayLower,
      MachineMemory machine) {
    Settings settings = configuration.settings();
    MemorySizes least = sizes.smallest(mayLower);
    Map<String, String> fitting =
        sizes
            .largest(path -> true, next -> PlannedMemory.of(settings, next, machine).fits())
            .map(next -> next.lowerThan(sizes))
            .orElse(Map.of());
    MemoryPlan plan = PlannedMemory.of(settings, least, machine);
    MemoryPlan roomy = roomy(settings, least, machine.heap(), machine);
    return new MemoryFit(configuration, plan, Map.of(), new Remedy(roomy, fitting));
  }

  /** Returns whether the plan fits the machine. */
  public boolean fits() {
    return refusal == null;
  }

  /** Returns what a configuration that does not fit takes, and what to do; empty if it fits. */
  public List<String> refusalText() {
    if (refusal == null) {
      return List.of();
    }
    var lines = new ArrayList<String>();
    lines.add("the configuration needs more memory than there is; nothing was started");
    lines.addAll(MemoryText.table(plan));
    lines.add("To start it, " + hint(refusal) + ".");
    return lines;
  }

  /** Returns the areas in which the memory does not suffice, in one sentence. */
  public String shortage() {
    var areas = new ArrayList<String>();
    if (!plan.fitsHeap()) {
      areas.add(shortage(plan.bytes(MemoryArea.HEAP), "on the heap", plan.heapRoom()));
    }
    if (!plan.fitsDirect()) {
      long direct = plan.bytes(MemoryArea.DIRECT);
      areas.add(shortage(direct, "in direct memory", plan.machine().direct()));
    }
    if (!plan.fitsMachine()) {
      areas.add(shortage(plan.bytes(), "in total", plan.machine().total()));
    }
    return "the configuration needs " + String.join(", and ", areas);
  }

  private static String shortage(long needed, String where, long given) {
    return MemoryText.size(needed) + " " + where + ", but there are " + MemoryText.size(given);
  }

  private String hint(Remedy remedy) {
    MemoryPlan roomy = remedy.roomy();
    String machine =
        roomy.fitsMachine()
            ? ""
            : "a machine or container with " + MemoryText.size(roomy.bytes()) + " or more";
    long mebibytes = roomy.machine().heap() >> 20;
    String heap =
        plan.fitsHeap() && plan.fitsDirect()
            ? ""
            : "a larger heap, HEATSHIELD_JAVA_OPTS=-Xmx" + (mebibytes + 1) + "m";
    String give =
        "give Java " + heap + (heap.isEmpty() || machine.isEmpty() ? "" : ", on ") + machine;
    return remedy.fitting().isEmpty()
        ? give
        : give
            + ", or lower settings, for example "
            + remedy.fitting().entrySet().stream()
                .map(size -> size.getKey() + ": " + size.getValue())
                .collect(Collectors.joining(", "));
  }
}
