package io.heatshield.cli.demo.load;

import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * The keys of the demo and the requests for them.
 *
 * <p>Each supplier of requests is for one thread.
 */
public final class DemoKeys {
  /** The prefix of the demo's keys in a shared Redis. */
  public static final String REDIS_PREFIX = "heatshield-demo:";

  public static final int USERS = 20_000;
  private static final byte[] VALUE =
      LoadClient.bytes("a value of the demo, as long as a short profile is");

  private static final int READS_PER_WRITE = 10;
  private static final double EXPONENT = 0.8;
  private static final byte[] GET = LoadClient.bytes("GET");
  private static final byte[] SET = LoadClient.bytes("SET");

  private final String prefix;

  public DemoKeys(String prefix) {
    this.prefix = prefix;
  }

  /** Returns the value of every key. */
  public static byte[] value() {
    return VALUE.clone();
  }

  /** Returns the prefix of the users' keys; a number below {@link #USERS} follows. */
  public String users() {
    return prefix + "user:";
  }

  /** Returns the key that all clients read. */
  public String viral() {
    return prefix + "post:4711";
  }

  /** Returns the key that one client writes in a loop. */
  public String written() {
    return prefix + "job:nightly:progress";
  }

  /** Returns the prefix of the absent keys that a scanner reads. */
  public String scanned() {
    return prefix + "user:x";
  }

  /** Returns reads and a few writes of users' keys with a Zipf distribution. */
  public Supplier<byte[][]> ofUsers(long seed) {
    var random = new SplittableRandom(seed);
    var ranks = new Zipf(USERS, EXPONENT, random.split());
    return () -> {
      byte[] key = LoadClient.bytes(users() + ranks.next());
      return random.nextInt(READS_PER_WRITE) == 0
          ? new byte[][] {SET, key, VALUE}
          : new byte[][] {GET, key};
    };
  }

  public Supplier<byte[][]> ofReaders() {
    byte[][] words = {GET, LoadClient.bytes(viral())};
    return () -> words;
  }

  public Supplier<byte[][]> ofScanner(long seed) {
    var random = new SplittableRandom(seed);
    return () ->
        new byte[][] {GET, LoadClient.bytes(scanned() + Long.toHexString(random.nextLong()))};
  }

  public Supplier<byte[][]> ofWriter() {
    byte[][] words = {SET, LoadClient.bytes(written()), VALUE};
    return () -> words;
  }
}
