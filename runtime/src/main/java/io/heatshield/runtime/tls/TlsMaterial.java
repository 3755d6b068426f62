package io.heatshield.runtime.tls;

import io.heatshield.runtime.secret.SecretFile;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate and key of a port, read from PEM files and reloaded when the files change.
 *
 * <p>Every new connection uses the current certificate, so a reload needs no restart and does not
 * affect open connections. TLS 1.2 and 1.3 only, with ECDHE and AEAD suites only. Thread-safe;
 * {@link #refresh} reads files and must not be called on an event loop.
 */
public final class TlsMaterial {
  /*
   * Files change one after the other: for a moment the new certificate and the old key do not
   * match. The JDK does not notice this before the first handshake fails, so every load signs data
   * with the key and verifies it with the certificate. If they do not match, or cannot be read, the
   * old certificate stays in use, and the next poll that finds other contents tries again. Contents
   * are compared, not modification times: files are small, and a time may not change.
   */
  private static final Logger log = LoggerFactory.getLogger(TlsMaterial.class);
  private static final int MAX_FILE_BYTES = 1 << 20;
  private static final long HANDSHAKE_TIMEOUT_SECONDS = 30;

  private static final ApplicationProtocolConfig HTTP2 =
      new ApplicationProtocolConfig(
          ApplicationProtocolConfig.Protocol.ALPN,
          ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
          ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
          ApplicationProtocolNames.HTTP_2);

  private final TlsFiles files;
  private volatile Contexts contexts;
  private @Nullable Contents seen;
  private @Nullable String fault;

  private TlsMaterial(TlsFiles files, Contents contents)
      throws GeneralSecurityException, IOException {
    this.files = files;
    this.contexts = build(contents);
    this.seen = contents;
  }

  /**
   * Reads the files.
   *
   * @throws IOException if a file cannot be read or its content is invalid; the message has the
   *     file or the reason
   */
  public static TlsMaterial load(TlsFiles files) throws IOException {
    try {
      return new TlsMaterial(files, Contents.read(files));
    } catch (GeneralSecurityException e) {
      throw new IOException(files.certificates() + ": " + e.getMessage(), e);
    }
  }

  /**
   * Returns a TLS handler, to be the first in the pipeline of a new connection.
   *
   * @param protocols the application protocols to offer by ALPN, best first; none means no ALPN
   */
  public SslHandler newHandler(ByteBufAllocator allocator, String... protocols) {
    SslHandler handler = contexts.plain().newHandler(allocator);
    handler.setHandshakeTimeout(HANDSHAKE_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    if (protocols.length > 0) {
      SSLParameters parameters = handler.engine().getSSLParameters();
      parameters.setApplicationProtocols(protocols);
      handler.engine().setSSLParameters(parameters);
    }
    return handler;
  }

  /** Returns a context for an HTTP/2 server; each connection uses the current certificate. */
  public SslContext http2() {
    return new LiveSslContext(() -> contexts.http2());
  }

  /** Reloads the files if they have changed; keeps the old certificate if they are invalid. */
  public synchronized Refresh refresh() {
    Contents contents;
    try {
      contents = Contents.read(files);
    } catch (IOException e) {
      return keepOld(null, String.valueOf(e.getMessage()));
    }
    if (contents.equals(seen)) {
      return fault == null ? Refresh.UNCHANGED : Refresh.BROKEN;
    }
    try {
      contexts = build(contents);
    } catch (GeneralSecurityException | IOException e) {
      return keepOld(contents, files.certificates() + ": " + e.getMessage());
    }
    seen = contents;
    fault = null;
    log.info("TLS certificate reloaded from {}", files.certificates());
    return Refresh.RELOADED;
  }

  /** Returns the reason why the current files are not used, or null if they are. */
  public synchronized @Nullable String fault() {
    return fault;
  }

  private Refresh keepOld(@Nullable Contents contents, String reason) {
    if (!Objects.equals(contents, seen) || fault == null) {
      log.error("TLS certificate not reloaded, the old one stays in use: {}", reason);
    }
    seen = contents;
    fault = reason;
    return Refresh.BROKEN;
  }

  private static Contexts build(Contents contents) throws GeneralSecurityException, IOException {
    List<X509Certificate> chain = certificates(contents.certificates(), "certificate");
    PublicKey certified = chain.get(0).getPublicKey();
    PrivateKey key = PrivateKeyPem.parse(contents.key(), certified.getAlgorithm());
    requireMatch(key, certified);
    SslContextBuilder builder =
        SslContextBuilder.forServer(key, chain.toArray(new X509Certificate[0]))
            .sslProvider(SslProvider.JDK)
            .protocols("TLSv1.3", "TLSv1.2")
            .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE);
    String clientCa = contents.clientCa();
    if (clientCa != null) {
      builder
          .trustManager(certificates(clientCa, "client CA").toArray(new X509Certificate[0]))
          .clientAuth(ClientAuth.REQUIRE);
    }
    SslContext plain = builder.build();
    SslContext http2 = builder.applicationProtocolConfig(HTTP2).build();
    return new Contexts(plain, http2);
  }

  private static List<X509Certificate> certificates(String pem, String what)
      throws CertificateException {
    try (InputStream in = new ByteArrayInputStream(pem.getBytes(StandardCharsets.ISO_8859_1))) {
      List<X509Certificate> found =
          CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (found.isEmpty()) {
        throw new CertificateException("the " + what + " file has no certificate");
      }
      return found;
    } catch (IOException e) {
      throw new CertificateException(e);
    }
  }

  private static void requireMatch(PrivateKey key, PublicKey certified)
      throws GeneralSecurityException {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> key.getAlgorithm();
        };
    var challenge = new byte[32];
    new SecureRandom().nextBytes(challenge);
    Signature signer = Signature.getInstance(algorithm);
    signer.initSign(key);
    signer.update(challenge);
    byte[] signed = signer.sign();
    Signature verifier = Signature.getInstance(algorithm);
    verifier.initVerify(certified);
    verifier.update(challenge);
    if (!verifier.verify(signed)) {
      throw new CertificateException("the private key does not belong to the certificate");
    }
  }

  /** The result of {@link #refresh}. */
  public enum Refresh {
    /** The files have not changed, and are in use. */
    UNCHANGED,
    /** New connections use the new certificate. */
    RELOADED,
    /** The files are invalid; the last valid certificate stays in use. */
    BROKEN
  }

  /** The contexts of one certificate: without ALPN, and with ALPN for HTTP/2. */
  private record Contexts(SslContext plain, SslContext http2) {}

  /** The contents of the files, one character per byte. */
  private record Contents(String certificates, String key, @Nullable String clientCa) {

    static Contents read(TlsFiles files) throws IOException {
      String clientCa = null;
      if (files.clientCa().isPresent()) {
        clientCa = text(SecretFile.read(files.clientCa().get(), MAX_FILE_BYTES));
      }
      return new Contents(
          text(SecretFile.read(files.certificates(), MAX_FILE_BYTES)),
          text(SecretFile.readSecret(files.key(), MAX_FILE_BYTES)),
          clientCa);
    }

    private static String text(byte[] bytes) {
      return new String(bytes, StandardCharsets.ISO_8859_1);
    }
  }
}
