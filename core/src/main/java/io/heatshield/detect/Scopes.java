package io.heatshield.detect;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * The detectors of several scopes by name: keys of two scopes never share a count.
 *
 * <p>At most {@code maxScopes} scopes have a detector. A scope is registered, or gets one at its
 * first touch while there is room; touches of further scopes are answered {@link Verdict#COOL} and
 * counted as dropped. Any thread may call any method.
 */
public final class Scopes {
  /** The default of the most scopes. */
  public static final int DEFAULT_MAX = 64;

  private final int maxScopes;
  private final Function<String, HotKeyDetector> maker;
  private final ConcurrentHashMap<String, HotKeyDetector> detectors = new ConcurrentHashMap<>();
  private final LongAdder dropped = new LongAdder();

  /**
   * Creates an empty registry.
   *
   * @param maker makes the detector of a scope that is touched before it is registered
   */
  public Scopes(int maxScopes, Function<String, HotKeyDetector> maker) {
    if (maxScopes < 1) {
      throw new IllegalArgumentException("maxScopes must be at least 1: " + maxScopes);
    }
    this.maxScopes = maxScopes;
    this.maker = maker;
  }

  /**
   * Gives a scope its detector and returns true, or returns false if the scope has one or there is
   * no room.
   */
  public synchronized boolean register(String scope, HotKeyDetector detector) {
    return detectors.size() < maxScopes && detectors.putIfAbsent(scope, detector) == null;
  }

  /** Counts one touch of a key in a scope. */
  public Verdict touch(String scope, byte[] key) {
    return touch(scope, key, 1);
  }

  /** Counts a touch of a key in a scope that weighs as many as given. */
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

  /** Returns the touches of scopes that had no room. */
  public long dropped() {
    return dropped.sum();
  }

  /** Lets every detector turn its pane and review its keys. */
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
