package io.heatshield.cli.demo.store;

import java.util.function.Predicate;

/** The store behind Heatshield in the demo, with a count of its commands. */
public interface StoreUnderTest extends AutoCloseable {

  /** Returns the address of the store, for {@code shield.url}. */
  String url();

  /** Returns a description of the store. */
  String describe();

  /** Stores keys of a prefix and a number, starting at 0. */
  void fill(String prefix, int keys, byte[] value);

  /** Stores one key. */
  void put(String key, byte[] value);

  /** Sets which keys belong to the attack. */
  void setAttackedKeys(Predicate<String> keys);

  /** Returns the number of executed commands. */
  long calls();

  /** Returns the number of executed commands for attacked keys. */
  long attackCalls();

  @Override
  void close();
}
