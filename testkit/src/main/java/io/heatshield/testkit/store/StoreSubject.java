package io.heatshield.testkit.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The blocking, text-based adapter through which {@link StoreContract} calls a store. */
public interface StoreSubject extends AutoCloseable {

  /** Returns the value of a key. */
  Optional<String> get(String key);

  /** Returns the value of each key. */
  List<Optional<String>> getAll(List<String> keys);

  /**
   * Sets the value of a key.
   *
   * @param ttl zero for no expiry
   * @param condition one of always, if_absent, if_present
   * @return whether the condition was met
   */
  boolean put(String key, String value, Duration ttl, String condition);

  /** Deletes a key and returns whether it had a value. */
  boolean delete(String key);

  /** Returns whether a key has a value. */
  boolean exists(String key);

  /** Adds to a number and returns the sum, or the name of the reason for which it failed. */
  String increment(String key, long delta);

  /** Sets the time to live of a value; zero for no expiry. */
  boolean expire(String key, Duration ttl);

  /** Returns the remaining time to live in milliseconds, -1 for no expiry, -2 for no value. */
  long ttl(String key);

  /** Returns all keys that a scan finds. */
  Set<String> scan(int count);

  /** Returns the number of keys. */
  long size();

  /** Deletes everything. */
  void clear();

  /** Sets several keys atomically if none of them exists. */
  boolean putAllIfNoneExists(Map<String, String> values);

  /** Appends each text to the value of its key, atomically. */
  void appendAll(Map<String, String> suffixes);

  /** Advances the store's clock, or waits. */
  void elapse(Duration time);

  @Override
  void close();
}
