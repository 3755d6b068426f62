package io.heatshield.testkit.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A store as {@link StoreContract} sees it: text for bytes, and answers at once. */
public interface StoreSubject extends AutoCloseable {

  /** Returns what a key holds. */
  Optional<String> get(String key);

  /** Returns what each key holds. */
  List<Optional<String>> getAll(List<String> keys);

  /**
   * Sets what a key holds.
   *
   * @param ttl zero for no end
   * @param condition one of always, if_absent, if_present
   * @return whether the condition was met
   */
  boolean put(String key, String value, Duration ttl, String condition);

  /** Deletes a key, and returns whether it held something. */
  boolean delete(String key);

  /** Returns whether a key holds something. */
  boolean exists(String key);

  /** Adds to a number, and returns the sum, or the name of the reason why not. */
  String increment(String key, long delta);

  /** Sets when a value ends; zero for never. */
  boolean expire(String key, Duration ttl);

  /** Returns the milliseconds until a value ends, -1 for never, -2 for no value. */
  long ttl(String key);

  /** Returns all keys of a scan. */
  Set<String> scan(int count);

  /** Returns how many keys there are. */
  long size();

  /** Deletes everything. */
  void clear();

  /** Sets several keys in one step if none of them holds anything. */
  boolean putAllIfNoneExists(Map<String, String> values);

  /** Adds each text to what its key holds, in one step. */
  void appendAll(Map<String, String> suffixes);

  /** Lets time pass. */
  void elapse(Duration time);

  @Override
  void close();
}
