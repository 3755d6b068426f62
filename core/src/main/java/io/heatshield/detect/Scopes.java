package io.heatshield.detect;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * A registry of detectors by scope; keys of two scopes never share a count.
 *
 * <p>At most {@code maxScopes} scopes have a detector. A scope is registered, or gets a detector at
 * its first touch while there is room. Touches of further scopes return {@link Verdict#COOL} and
 * are counted as dropped. Any thread may call any method.
 */
public final class Scopes {
  /** The default of {@code maxScopes}. */
  public static final int DEFAULT_MAX = 64;

  private final int maxScopes;
  private final Function<String, HotKeyDetector> maker;
  private final ConcurrentHashMap<String, HotKeyDetector> detectors = new ConcurrentHashMap<>();
  private final LongAdder dropped = new LongAdder();

  /**
   * Creates an empty registry.
   *
   * @param maker creates the detector of a scope that is touched before it is registered
   */
  public Scopes(int maxScopes, Function<String, HotKeyDetector> maker) {
    if (maxScopes < 1) {
      throw new IllegalArgumentException("maxScopes must be at least 1: " + maxScopes);
    }
    this.maxScopes = maxScopes;
    this.maker = maker;
  }

  /**
   * Registers the detector of a scope. Returns false if the scope already has a detector or there
   * is no room.
   */
  public synchronized boolean register(String scope, HotKeyDetector detector) {
    return detectors.size() < maxScopes && detectors.putIfAbsent(scope, detector) == null;
  }

  /** Counts one touch of a key in a scope. */
  public Verdict touch(String scope, byte[] key) {
    return touch(scope, key, 1);
  }

  /** Counts a touch of a key in a scope, with a weight. */
  public Verdict touch(String scope, byte[] key, long weight) {
    HotKeyDetector detector = detectors.get(scope);
    if (detector == null) {
      detector = make(scope).orElse(null);
    }
    if (detector == null) {
      dropped.increment();
      return Verdict.COOL;
    }
    return detector.touch(key, weight);
  }

  /** Returns the detector of a scope, if it has one. */
  public Optional<HotKeyDetector> find(String scope) {
    return Optional.ofNullable(detectors.get(scope));
  }

  /** Returns a snapshot of all scopes and their detectors, by name. */
  public Map<String, HotKeyDetector> all() {
    return new TreeMap<>(detectors);
  }

  /** Returns the number of touches of scopes without a detector. */
  public long dropped() {
    return dropped.sum();
  }

  /** Calls {@link HotKeyDetector#maintain} of every detector. */
  public void maintain() {
    detectors.values().forEach(HotKeyDetector::maintain);
  }

  private synchronized Optional<HotKeyDetector> make(String scope) {
    HotKeyDetector known = detectors.get(scope);
    if (known != null || detectors.size() >= maxScopes) {
      return Optional.ofNullable(known);
    }
    HotKeyDetector made = maker.apply(scope);
    detectors.put(scope, made);
    return Optional.of(made);
  }
}
