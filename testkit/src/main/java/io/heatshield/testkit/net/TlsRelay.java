package io.heatshield.testkit.net;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * TLS before a port of this machine that has none, with a certificate for 127.0.0.1 alone.
 *
 * <p>It accepts until it is closed.
 */
public final class TlsRelay implements AutoCloseable {
  /** The password of {@link #trustStore}, which guards nothing. */
  public static final String PASSWORD = "changeit";

  private final Path store;
  private final SSLContext context;
  private final ServerSocket door;

  private TlsRelay(Path store, int port) throws IOException, GeneralSecurityException {
    this.store = store;
    this.context = context(store);
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
  public static TlsRelay start(Path folder, int port)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = folder.resolve("relay.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "relay",
                "-dname",
                "CN=relay",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    if (keytool.waitFor() != 0) {
      throw new IOException(Files.readString(folder.resolve("keytool.log")));
    }
    return new TlsRelay(store, port);
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

  private static SSLContext context(Path file) throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD.toCharArray());
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private interface Work {
    void run() throws IOException;
  }
}
