package io.heatshield.cli.demo.store;

import io.heatshield.cli.demo.load.DemoKeys;
import io.heatshield.redis.BlockingConnection;
import io.heatshield.redis.RedisCallException;
import io.heatshield.redis.RedisUrl;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A real Redis as the store of the demo. Deletes the keys of the demo at the end.
 *
 * <p>Redis does not count commands by key. The calls of the attack are therefore all commands minus
 * those of the other users and of this class. For one thread.
 */
public final class RedisStore implements StoreUnderTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Pattern CALLS = Pattern.compile("total_commands_processed:(\\d+)");

  private final String url;
  private final BlockingConnection connection;
  private final LongSupplier othersCalls;
  private final Set<String> stored = new HashSet<>();
  private long ownCalls;

  private RedisStore(String url, BlockingConnection connection, LongSupplier othersCalls) {
    this.url = url;
    this.connection = connection;
    this.othersCalls = othersCalls;
  }

  /**
   * Connects.
   *
   * @param othersCalls the number of calls of the other users
   * @throws IOException if the Redis cannot be reached
   */
  public static RedisStore open(String url, LongSupplier othersCalls) throws IOException {
    try {
      return new RedisStore(
          url, BlockingConnection.open(RedisUrl.parse(url), TIMEOUT), othersCalls);
    } catch (RedisCallException e) {
      throw new IOException("the Redis of --redis: " + e.getMessage(), e);
    }
  }

  @Override
  public String url() {
    return url;
  }

  @Override
  public String describe() {
    return "your Redis; the keys of the demo have the prefix " + DemoKeys.REDIS_PREFIX;
  }

  @Override
  public void fill(String prefix, int keys, byte[] value) {
    for (int i = 0; i < keys; i++) {
      put(prefix + i, value);
    }
  }

  @Override
  public void put(String key, byte[] value) {
    ask("SET", key, new String(value, StandardCharsets.US_ASCII));
    stored.add(key);
  }

  @Override
  public void setAttackedKeys(Predicate<String> keys) {}

  @Override
  public long calls() {
    Object stats = ask("INFO", "stats");
    String text = stats instanceof byte[] bytes ? new String(bytes, StandardCharsets.US_ASCII) : "";
    Matcher calls = CALLS.matcher(text);
    return calls.find() ? Long.parseLong(calls.group(1)) - ownCalls : 0;
  }

  @Override
  public long attackCalls() {
    return Math.max(0, calls() - othersCalls.getAsLong());
  }

  @Override
  public void close() {
    try {
      stored.forEach(key -> ask("DEL", key));
    } finally {
      connection.close();
    }
  }

  private Object ask(String name, String... words) {
    ownCalls++;
    try {
      Object answer = connection.call(name, words);
      return answer == null ? "" : answer;
    } catch (RedisCallException e) {
      throw new IllegalStateException("the Redis of --redis: " + e.getMessage(), e);
    }
  }
}
