package io.heatshield.cli.demo;

import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * The keys of the demo and the requests that are made for them.
 *
 * <p>A supplier of requests is for one thread.
 */
final class DemoKeys {
  /** Where the demo's keys begin in a Redis that holds others too. */
  static final String REDIS_PREFIX = "heatshield-demo:";

  static final int USERS = 20_000;
  static final byte[] VALUE =
      LoadClient.bytes("a value of the demo, as long as a short profile is");

  private static final int READS_PER_WRITE = 10;
  private static final double EXPONENT = 0.8;
  private static final byte[] GET = LoadClient.bytes("GET");
  private static final byte[] SET = LoadClient.bytes("SET");

  private final String prefix;

  DemoKeys(String prefix) {
    this.prefix = prefix;
  }

  /** Returns what the keys of users begin with; a number from 0 to {@link #USERS} follows. */
  String users() {
    return prefix + "user:";
  }

  /** Returns the key that everyone reads. */
  String viral() {
    return prefix + "post:4711";
  }

  /** Returns the key that one client writes all the time. */
  String written() {
    return prefix + "job:nightly:progress";
  }

  /** Returns what the keys begin with that a scanner asks for and that do not exist. */
  String scanned() {
    return prefix + "user:x";
  }

  /** Returns reads and some writes of users' keys, a few of them more popular than the rest. */
  Supplier<byte[][]> ofUsers(long seed) {
    var random = new SplittableRandom(seed);
    var ranks = new Zipf(USERS, EXPONENT, random.split());
    return () -> {
      byte[] key = LoadClient.bytes(users() + ranks.next());
      return random.nextInt(READS_PER_WRITE) == 0
          ? new byte[][] {SET, key, VALUE}
          : new byte[][] {GET, key};
    };
  }

  Supplier<byte[][]> ofReaders() {
    byte[][] words = {GET, LoadClient.bytes(viral())};
    return () -> words;
  }

  Supplier<byte[][]> ofScanner(long seed) {
    var random = new SplittableRandom(seed);
    return () ->
        new byte[][] {GET, LoadClient.bytes(scanned() + Long.toHexString(random.nextLong()))};
  }

  Supplier<byte[][]> ofWriter() {
    byte[][] words = {SET, LoadClient.bytes(written()), VALUE};
    return () -> words;
  }
}
