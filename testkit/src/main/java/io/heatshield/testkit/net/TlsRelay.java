package io.heatshield.testkit.net;

import io.heatshield.testkit.tls.SelfSignedCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;

/**
 * TLS before a port of this machine that has none, with a certificate for 127.0.0.1 alone.
 *
 * <p>It accepts until it is closed.
 */
public final class TlsRelay implements AutoCloseable {
  /** The password of {@link #trustStore}, which guards nothing. */
  public static final String PASSWORD = SelfSignedCertificate.PASSWORD;

  private final Path store;
  private final SSLContext context;
  private final ServerSocket door;

  private TlsRelay(Path store, SSLContext context, int port) throws IOException {
    this.store = store;
    this.context = context;
    this.door =
        context
            .getServerSocketFactory()
            .createServerSocket(0, 10, InetAddress.getLoopbackAddress());
    daemon(() -> accept(port));
  }

  /**
   * Makes a certificate and begins to relay.
   *
   * @param folder where the certificate is kept
   * @param port where what comes is passed on to
   */
  public static TlsRelay start(Path folder, int port) throws IOException {
    var certificate = SelfSignedCertificate.make(folder, "relay", "ip:127.0.0.1");
    return new TlsRelay(folder.resolve("relay.p12"), certificate.contextShowing(certificate), port);
  }

  /** Returns the port that speaks TLS. */
  public int port() {
    return door.getLocalPort();
  }

  /** Returns a context that trusts the relay and nobody else. */
  public SSLContext context() {
    return context;
  }

  /** Returns a file that a JVM may be given as its trust store. */
  public Path trustStore() {
    return store;
  }

  @Override
  public void close() throws IOException {
    door.close();
  }

  private void accept(int port) throws IOException {
    while (!door.isClosed()) {
      Socket client = door.accept();
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
                // One side left, which the other sees.
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
