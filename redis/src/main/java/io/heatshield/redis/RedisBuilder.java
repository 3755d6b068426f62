package io.heatshield.redis;

import io.heatshield.redis.command.ClientCounters;
import io.heatshield.redis.command.ClientSettings;
import io.heatshield.redis.connection.ConnectionFactory;
import java.time.Duration;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;

/** Builds a {@link Redis} client. Not safe for use by several threads. */
public final class RedisBuilder {
  private static final Duration MAX_TIME = Duration.ofMinutes(10);
  private static final int MAX_CONNECTIONS = 64;

  private final RedisUrl url;
  private long budgetNanos = Duration.ofMillis(10).toNanos();
  private long connectNanos = Duration.ofMillis(250).toNanos();
  private int connections = 2;
  private @Nullable SSLSocketFactory sockets;

  RedisBuilder(RedisUrl url) {
    this.url = url;
  }

  /** Sets the time budget in which every command has its outcome; 10 ms by default. */
  public RedisBuilder budget(Duration budget) {
    budgetNanos = positive("budget", budget);
    return this;
  }

  /** Sets the timeout of a connection, and of the reply to a probe; 250 ms by default. */
  public RedisBuilder connectTimeout(Duration timeout) {
    connectNanos = positive("connectTimeout", timeout);
    return this;
  }

  /** Sets the number of connections to each server, each with a thread; 2 by default. */
  public RedisBuilder connections(int count) {
    if (count < 1 || count > MAX_CONNECTIONS) {
      throw new IllegalArgumentException(
          "connections must be 1 to " + MAX_CONNECTIONS + ": " + count);
    }
    connections = count;
    return this;
  }

  /** Sets the factory of TLS sockets; the JVM's by default. Host names are always verified. */
  public RedisBuilder tls(SSLSocketFactory factory) {
    sockets = factory;
    return this;
  }

  /** Returns a client that begins to connect. Neither waits nor fails. */
  public Redis open() {
    return new Redis(url, settings());
  }

  ClientSettings settings() {
    return new ClientSettings(
        toData(),
        new ConnectionFactory(config().build(), tls(), url.login().clientName()),
        connectNanos,
        budgetNanos,
        connections,
        new ClientCounters());
  }

  /** Returns a factory of connections to servers that hold data; sentinels have other users. */
  ConnectionFactory toData() {
    RedisUrl.Login login = url.login();
    DefaultJedisClientConfig.Builder config = config().database(url.database());
    if (login.password() != null) {
      config.user(login.user()).password(login.password());
    }
    return new ConnectionFactory(config.build(), tls(), login.clientName());
  }

  /** Without HELLO: every Redis and every sentinel speaks RESP2 by default. */
  private DefaultJedisClientConfig.Builder config() {
    return DefaultJedisClientConfig.builder()
        .serverDefaultProtocol()
        .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
        .connectionTimeoutMillis(ClientSettings.millis(connectNanos))
        .socketTimeoutMillis(ClientSettings.millis(connectNanos));
  }

  private @Nullable SSLSocketFactory tls() {
    if (!url.isTls()) {
      return null;
    }
    return sockets == null ? (SSLSocketFactory) SSLSocketFactory.getDefault() : sockets;
  }

  private static long positive(String name, Duration value) {
    if (value.isNegative() || value.isZero() || value.compareTo(MAX_TIME) > 0) {
      throw new IllegalArgumentException(
          name + " must be positive and at most " + MAX_TIME + ": " + value);
    }
    return value.toNanos();
  }
}
