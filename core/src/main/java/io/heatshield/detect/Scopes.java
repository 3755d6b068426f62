package io.heatshield.detect;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * The detectors of many scopes, for example tenants or shards; keys of two scopes never share a
 * count.
 *
 * <pre>{@code
 * Scopes tenants = Scopes.builder()
 *     .maxScopes(64)
 *     .detectors(tenant -> HotKeyDetector.builder().threshold(50).build())
 *     .build();
 * tenants.open("acme").ifPresent(detector -> detector.touch(key));
 * }</pre>
 *
 * <p>At most {@code maxScopes} scopes have a detector, and each keeps it. Any thread may call any
 * method.
 */
public final class Scopes implements AutoCloseable {
  private final int maxScopes;
  private final Function<String, HotKeyDetector> maker;
  private final ConcurrentHashMap<String, HotKeyDetector> detectors = new ConcurrentHashMap<>();
  private final LongAdder refused = new LongAdder();

  Scopes(int maxScopes, Function<String, HotKeyDetector> maker) {
    this.maxScopes = maxScopes;
    this.maker = maker;
  }

  /** Returns a builder. */
  public static ScopesBuilder builder() {
    return new ScopesBuilder();
  }

  /**
   * Returns the detector of a scope, which is created if there is room; otherwise returns empty,
   * and the call is counted by {@link #refused}.
   */
  public Optional<HotKeyDetector> open(String scope) {
    HotKeyDetector known = detectors.get(Objects.requireNonNull(scope, "scope"));
    Optional<HotKeyDetector> opened = known == null ? create(scope) : Optional.of(known);
    if (opened.isEmpty()) {
      refused.increment();
    }
    return opened;
  }

  /** Returns the detector of a scope, if it has one. */
  public Optional<HotKeyDetector> find(String scope) {
    return Optional.ofNullable(detectors.get(Objects.requireNonNull(scope, "scope")));
  }

  /** Returns a snapshot of all scopes and their detectors, by name. */
  public Map<String, HotKeyDetector> all() {
    return new TreeMap<>(detectors);
  }

  /** Returns how often {@link #open} returned empty because there was no room. */
  public long refused() {
    return refused.sum();
  }

  /** Calls {@link HotKeyDetector#maintain} of every detector. */
  public void maintain() {
    detectors.values().forEach(HotKeyDetector::maintain);
  }

  /** Closes every detector. */
  @Override
  public void close() {
    detectors.values().forEach(HotKeyDetector::close);
  }

  private synchronized Optional<HotKeyDetector> create(String scope) {
    HotKeyDetector known = detectors.get(scope);
    if (known != null || detectors.size() >= maxScopes) {
      return Optional.ofNullable(known);
    }
    HotKeyDetector created = Objects.requireNonNull(maker.apply(scope), "detector");
    detectors.put(scope, created);
    return Optional.of(created);
  }
}
