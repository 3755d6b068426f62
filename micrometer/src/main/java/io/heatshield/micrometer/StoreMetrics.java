package io.heatshield.micrometer;

import io.heatshield.store.GuardedStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Binds the statistics of a guarded store to a Micrometer registry, under the tag {@code store},
 * with the names and descriptions of the server's metrics.
 *
 * <p>The rules are those of {@link HeatshieldMetrics}. The statistics are read at most once a
 * second. It is a class of its own because it needs {@code heatshield-store}.
 */
public final class StoreMetrics implements MeterBinder {
  private final List<MeterGroup<?, ?>> groups;

  /** Creates the binder of a store. */
  public StoreMetrics(GuardedStore store, String name) {
    Tags tag = HeatshieldMetrics.tag("store", name);
    var all = new ArrayList<MeterGroup<?, ?>>();
    all.add(MeterGroup.shared(store, tag, GuardedStore::stats, StoreMeters.STATS));
    all.add(MeterGroup.each(store, tag, Function.identity(), StoreMeters.STATE));
    if (store.filter().isPresent()) {
      all.add(MeterGroup.each(store, tag, Function.identity(), StoreMeters.FILTER));
    }
    groups = List.copyOf(all);
  }

  /**
   * Registers the meters.
   *
   * @throws IllegalArgumentException if the registry has the meters of a store of the same name
   */
  @Override
  public void bindTo(MeterRegistry registry) {
    groups.forEach(group -> group.requireUnbound(registry));
    groups.forEach(group -> group.bindTo(registry));
  }

  /** Removes the meters, so that another store can have the name. */
  public void unbindFrom(MeterRegistry registry) {
    groups.forEach(group -> group.unbindFrom(registry));
  }
}
