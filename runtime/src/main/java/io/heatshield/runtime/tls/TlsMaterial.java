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
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate and key that a door shows, read from PEM files and read again when those change.
 *
 * <p>Every new connection takes the material of its moment, so a reload needs no restart and leaves
 * open connections alone. TLS 1.2 and 1.3 only, with ECDHE and AEAD suites only. Any thread may
 * call {@link #newHandler}; {@link #refresh} reads files, so it belongs on a scheduler and not on
 * an event loop.
 */
public final class TlsMaterial {
  /*
   * Files change one after the other: between the new certificate and the new key there is a moment
   * when the two do not fit. Nothing in the JDK notices that before the first handshake fails, so
   * every load signs something with the key and verifies it with the certificate. What does not fit,
   * or cannot be read, leaves the old material in place; the next poll that finds other bytes tries
   * again. Contents are compared, not times: they are small, and a time can stand still.
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
  private String seen;
  private @Nullable String fault;

  private TlsMaterial(TlsFiles files, Contents contents)
      throws GeneralSecurityException, IOException {
    this.files = files;
    this.contexts = build(contents);
    this.seen = contents.fingerprint();
  }

  /**
   * Reads the files.
   *
   * @throws IOException if a file cannot be read, or if what they hold cannot serve; the message
   *     names the file or the fault
   */
  public static TlsMaterial load(TlsFiles files) throws IOException {
    try {
      return new TlsMaterial(files, Contents.read(files));
    } catch (GeneralSecurityException e) {
      throw new IOException(files.certificates() + ": " + e.getMessage(), e);
    }
  }

  /**
   * Returns a handler that makes one new connection a TLS connection, to stand first in its
   * pipeline.
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

  /**
   * Returns a context for a server that speaks HTTP/2 and nothing else, with the material of each
   * connection's moment.
   */
  public SslContext http2() {
    return new LiveSslContext(() -> contexts.http2());
  }

  /** Looks whether a file changed and, if so, takes the new material or keeps the old. */
  public synchronized Refresh refresh() {
    Contents contents;
    try {
      contents = Contents.read(files);
    } catch (IOException e) {
      return keepOld("unreadable", String.valueOf(e.getMessage()));
    }
    String now = contents.fingerprint();
    if (now.equals(seen)) {
      return fault == null ? Refresh.UNCHANGED : Refresh.BROKEN;
    }
    try {
      contexts = build(contents);
    } catch (GeneralSecurityException | IOException e) {
      return keepOld(now, files.certificates() + ": " + e.getMessage());
    }
    seen = now;
    fault = null;
    log.info("TLS certificate reloaded from {}", files.certificates());
    return Refresh.RELOADED;
  }

  /** Returns what is wrong with the files as they are now, or null if they are in use. */
  public synchronized @Nullable String fault() {
    return fault;
  }

  private Refresh keepOld(String fingerprint, String reason) {
    if (!fingerprint.equals(seen) || fault == null) {
      log.error("TLS certificate not reloaded, the old one stays in use: {}", reason);
    }
    seen = fingerprint;
    fault = reason;
    return Refresh.BROKEN;
  }

  private static Contexts build(Contents contents) throws GeneralSecurityException, IOException {
    List<X509Certificate> chain = certificates(contents.certificates(), "certificate");
    PrivateKey key =
        new PrivateKeyPem(contents.key()).key(chain.get(0).getPublicKey().getAlgorithm());
    requireFit(key, chain.get(0).getPublicKey());
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
        throw new CertificateException("the " + what + " file holds no certificate");
      }
      return found;
    } catch (IOException e) {
      throw new CertificateException(e);
    }
  }

  private static void requireFit(PrivateKey key, PublicKey certified)
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

  /** What a look at the files led to. */
  public enum Refresh {
    /** The files are as they were, and in use. */
    UNCHANGED,
    /** New connections get new material. */
    RELOADED,
    /** The files cannot serve; the last good material stays in use. */
    BROKEN
  }

  /** The same material twice: without ALPN, and with that of HTTP/2. */
  private record Contexts(SslContext plain, SslContext http2) {}

  /** The files' text, one character per byte. */
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

    String fingerprint() {
      try {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (String part : List.of(certificates, key, clientCa == null ? "" : clientCa)) {
          byte[] bytes = part.getBytes(StandardCharsets.ISO_8859_1);
          digest.update(MessageDigest.getInstance("SHA-256").digest(bytes));
        }
        return Base64.getEncoder().encodeToString(digest.digest());
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("every JDK has SHA-256", e);
      }
    }
  }
}
