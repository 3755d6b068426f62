package io.heatshield.testkit.net;

import io.heatshield.testkit.tls.SelfSignedCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;

/**
 * A relay that adds TLS in front of a plain-text port on loopback, with a certificate for
 * 127.0.0.1.
 *
 * <p>It accepts connections until it is closed.
 */
public final class TlsRelay implements AutoCloseable {
  /** The password of {@link #trustStore}, which protects nothing of value. */
  public static final String PASSWORD = SelfSignedCertificate.PASSWORD;

  private final Path store;
  private final SSLContext context;
  private final ServerSocket listener;

  private TlsRelay(Path store, SSLContext context, int port) throws IOException {
    this.store = store;
    this.context = context;
    this.listener =
        context
            .getServerSocketFactory()
            .createServerSocket(0, 10, InetAddress.getLoopbackAddress());
    daemon(() -> accept(port));
  }

  /**
   * Makes a certificate and begins to relay.
   *
   * @param folder the folder in which the certificate is stored
   * @param port the port on loopback to which the plain text is forwarded
   */
  public static TlsRelay start(Path folder, int port) throws IOException {
    var certificate = SelfSignedCertificate.make(folder, "relay", "ip:127.0.0.1");
    return new TlsRelay(
        folder.resolve("relay.p12"), certificate.contextPresenting(certificate), port);
  }

  /** Returns the port that speaks TLS. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Returns a context that trusts only the relay. */
  public SSLContext context() {
    return context;
  }

  /** Returns the file that a JVM can use as its trust store. */
  public Path trustStore() {
    return store;
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }

  private void accept(int port) throws IOException {
    while (!listener.isClosed()) {
      Socket client = listener.accept();
      var server = new Socket(InetAddress.getLoopbackAddress(), port);
      daemon(() -> pump(client, server));
      daemon(() -> pump(server, client));
    }
  }

  private static void pump(Socket from, Socket to) throws IOException {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    }
  }

  private static void daemon(Work work) {
    var thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException gone) {
                // One side has closed; the other side sees the end of the stream.
              }
            },
            "tls-relay");
    thread.setDaemon(true);
    thread.start();
  }

  private interface Work {
    void run() throws IOException;
  }
}
