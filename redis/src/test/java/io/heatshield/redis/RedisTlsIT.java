package io.heatshield.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.redis.RedisFixture;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS to a relay before a real Redis, whose certificate is for 127.0.0.1 alone. */
class RedisTlsIT {
  private static final char[] PASSWORD = "changeit".toCharArray();
  @TempDir private static Path folder;
  private static SSLContext tls;

  @BeforeAll
  static void makeCertificate() throws Exception {
    Path file = folder.resolve("relay.p12");
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
                file.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor()).isZero();
    tls = context(file);
  }

  @Test
  void eval_overTlsThatIsTrusted_isAnswered() throws Exception {
    try (var server = RedisFixture.start();
        var relay = relay(server.port());
        var redis = open("rediss://127.0.0.1:" + relay.getLocalPort(), true)) {

      assertThat(redis.awaitUp(Duration.ofSeconds(30))).isTrue();
      var told = new Told();
      redis.eval(RedisIT.ADD, new byte[] {'k'}, new byte[][] {{'5'}}, told);
      assertThat(told.count()).isEqualTo(5);
    }
  }

  @Test
  void eval_overTlsOfAStrangerOrAnotherName_isNeverSent() throws Exception {
    try (var server = RedisFixture.start();
        var relay = relay(server.port());
        var untrusted = open("rediss://127.0.0.1:" + relay.getLocalPort(), false);
        var misnamed = open("rediss://localhost:" + relay.getLocalPort(), true)) {
      var first = new Told();
      var second = new Told();

      untrusted.eval(RedisIT.ADD, new byte[] {'k'}, new byte[][] {{'5'}}, first);
      misnamed.eval(RedisIT.ADD, new byte[] {'k'}, new byte[][] {{'5'}}, second);

      assertThat(first.failure().isAmbiguous()).isFalse();
      assertThat(second.failure().isAmbiguous()).isFalse();
      assertThat(untrusted.stats().connects()).isZero();
      assertThat(misnamed.stats().connects()).isZero();
    }
  }

  private static Redis open(String url, boolean trusted) {
    RedisBuilder builder =
        Redis.builder(RedisUrl.parse(url))
            .budget(Duration.ofSeconds(5))
            .connectTimeout(Duration.ofSeconds(5));
    return (trusted ? builder.tls(tls.getSocketFactory()) : builder).open();
  }

  private static ServerSocket relay(int port) throws IOException {
    ServerSocket door =
        tls.getServerSocketFactory().createServerSocket(0, 10, InetAddress.getLoopbackAddress());
    daemon(
        () -> {
          while (!door.isClosed()) {
            Socket client = door.accept();
            var server = new Socket(InetAddress.getLoopbackAddress(), port);
            daemon(() -> pump(client, server));
            daemon(() -> pump(server, client));
          }
        });
    return door;
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
      store.load(in, PASSWORD);
    }
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD);
    var trustedStore = KeyStore.getInstance("PKCS12");
    trustedStore.load(null, null);
    trustedStore.setCertificateEntry("relay", store.getCertificate("relay"));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trustedStore);
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private interface Work {
    void run() throws IOException;
  }
}
