package io.heatshield.cli.demo;

import java.util.function.Predicate;

/** The store that the demo's traffic goes to through Heatshield, and its count of commands. */
interface StoreUnderTest extends AutoCloseable {

  /** Returns the address of the store, as {@code shield.url} takes it. */
  String url();

  /** Returns what kind of store it is, for people. */
  String describe();

  /** Stores keys that are a prefix and a number from 0 on. */
  void fill(String prefix, int keys, byte[] value);

  /** Stores one key. */
  void put(String key, byte[] value);

  /** Sets which keys belong to the attack whose calls are counted. */
  void attackIs(Predicate<String> keys);

  /** Returns the commands that the store has executed. */
  long calls();

  /** Returns those of them that were for keys of the attack. */
  long attackCalls();

  @Override
  void close();
}
