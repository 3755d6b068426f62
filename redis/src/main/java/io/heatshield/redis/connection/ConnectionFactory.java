package io.heatshield.redis.connection;

import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.regex.Pattern;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Opens connections with the same credentials, TLS settings and timeouts.
 *
 * @param config credentials, database and timeouts
 * @param tls null for connections without TLS
 * @param clientName the name that CLIENT LIST shows; null for none
 */
public record ConnectionFactory(
    JedisClientConfig config, @Nullable SSLSocketFactory tls, @Nullable String clientName) {
  /** ECDHE with AEAD, or TLS 1.3. */
  private static final Pattern SUITES =
      Pattern.compile("TLS_(ECDHE_(ECDSA|RSA)_WITH_)?(AES_[0-9]+_GCM|CHACHA20_POLY1305)_SHA[0-9]+");

  /**
   * Connects and logs in.
   *
   * @throws redis.clients.jedis.exceptions.JedisException if that fails
   */
  public ServerConnection open(Address address) {
    var host = new HostAndPort(address.host(), address.port());
    Socket plain = new DefaultJedisSocketFactory(host, config).createSocket();
    try {
      var connection = new ServerConnection(plain, secured(plain, address), config, address);
      if (clientName != null) {
        connection.setName(clientName);
      }
      return connection;
    } catch (RuntimeException e) {
      ServerConnection.abort(plain);
      throw e;
    }
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
      throw new JedisConnectionException("TLS handshake failed", e);
    }
  }
}
