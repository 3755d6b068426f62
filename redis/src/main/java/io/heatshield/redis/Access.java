package io.heatshield.redis;

import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** How connections are made: who asks, whether in TLS, and how long that may take. */
final class Access {
  /** ECDHE with AEAD, or TLS 1.3. */
  private static final Pattern SUITES =
      Pattern.compile("TLS_(ECDHE_(ECDSA|RSA)_WITH_)?(AES_[0-9]+_GCM|CHACHA20_POLY1305)_SHA[0-9]+");

  private final JedisClientConfig config;
  private final @Nullable SSLSocketFactory tls;
  private final @Nullable String clientName;

  private Access(
      JedisClientConfig config, @Nullable SSLSocketFactory tls, @Nullable String clientName) {
    this.config = config;
    this.tls = tls;
    this.clientName = clientName;
  }

  /** Returns the access to servers that hold data. */
  static Access toData(RedisBuilder from) {
    DefaultJedisClientConfig.Builder config = config(from).database(from.url.database());
    if (from.url.password() != null) {
      config.user(from.url.user()).password(from.url.password());
    }
    return new Access(config.build(), tls(from), from.url.clientName());
  }

  /** Returns the access to sentinels, which have no users of ours. */
  static Access toSentinels(RedisBuilder from) {
    return new Access(config(from).build(), tls(from), from.url.clientName());
  }

  /**
   * Connects and logs in.
   *
   * @throws redis.clients.jedis.exceptions.JedisException if that fails
   */
  Link open(Address address) {
    var host = new HostAndPort(address.host(), address.port());
    Socket plain = new DefaultJedisSocketFactory(host, config).createSocket();
    try {
      var link = new Link(plain, secured(plain, address), config, address);
      if (clientName != null) {
        link.name(clientName);
      }
      return link;
    } catch (RuntimeException e) {
      Link.abort(plain);
      throw e;
    }
  }

  static int millis(long nanos) {
    return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  private Socket secured(Socket plain, Address address) {
    if (tls == null) {
      return plain;
    }
    try {
      var secure = (SSLSocket) tls.createSocket(plain, address.host(), address.port(), true);
      SSLParameters parameters = secure.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
      parameters.setCipherSuites(
          Arrays.stream(parameters.getCipherSuites())
              .filter(suite -> SUITES.matcher(suite).matches())
              .toArray(String[]::new));
      secure.setSSLParameters(parameters);
      secure.startHandshake();
      return secure;
    } catch (IOException e) {
      throw new JedisConnectionException("no TLS with the server", e);
    }
  }

  /** Without HELLO: RESP2 is what every Redis and every sentinel speaks unasked. */
  private static DefaultJedisClientConfig.Builder config(RedisBuilder from) {
    return DefaultJedisClientConfig.builder()
        .serverDefaultProtocol()
        .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
        .connectionTimeoutMillis(millis(from.connectNanos))
        .socketTimeoutMillis(millis(from.connectNanos));
  }

  private static @Nullable SSLSocketFactory tls(RedisBuilder from) {
    if (!from.url.isTls()) {
      return null;
    }
    return from.sockets == null ? (SSLSocketFactory) SSLSocketFactory.getDefault() : from.sockets;
  }
}
