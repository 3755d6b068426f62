package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.key.KeyText;
import io.heatshield.testkit.keys.NastyKey;
import io.heatshield.testkit.keys.NastyKeys;
import io.heatshield.testkit.redis.RedisFixture;
import io.heatshield.testkit.tls.SelfSignedCertificate;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sends malformed bytes to each port and checks that the log stays short and printable. */
@Tag("thorough")
@Timeout(300)
class NastyBytesIT {
  private static final Pattern PORT = Pattern.compile("127\\.0\\.0\\.1:([0-9]+)");
  private static final int NONSENSE = 300;
  private static final int MAX_LINES = 120;
  private static final String TLS = ", tls: { cert: ./cert.pem, key: ./key.pem }";

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  private final List<HeatshieldProcess> processes = new ArrayList<>();

  @AfterEach
  void stop() {
    processes.forEach(HeatshieldProcess::kill);
  }

  @Test
  void log_ofAServerWithStores_staysShortAndPrintable() throws Exception {
    check("", "limits: { config: ./rules, backend: memory }\n");
  }

  @Test
  void log_ofAServerWithTls_staysShortAndPrintable() throws Exception {
    SelfSignedCertificate.make(folder, "server").write(folder, List::of);
    check(TLS, "limits: { config: ./rules, backend: memory }\n");
  }

  @Test
  void log_ofAShield_staysShortAndPrintable() throws Exception {
    try (RedisFixture redis = RedisFixture.start()) {
      check("", "shield: { url: '" + redis.uri() + "' }\n");
    }
  }

  @Test
  void log_ofAShieldWithTls_staysShortAndPrintable() throws Exception {
    SelfSignedCertificate.make(folder, "server").write(folder, List::of);
    try (RedisFixture redis = RedisFixture.start()) {
      check(TLS, "shield: { url: '" + redis.uri() + "' }\n");
    }
  }

  private void check(String server, String sections) throws Exception {
    Path rules = Files.createDirectories(folder.resolve("rules"));
    Files.writeString(rules.resolve("rules.yaml"), "domain: shop\ndescriptors: [{ key: user }]\n");
    Path log = folder.resolve("server.err");
    HeatshieldProcess process = serve(server, sections);
    for (int port : ports(process)) {
      for (NastyKey key : NastyKeys.all()) {
        send(port, key.bytes());
        send(port, joined("GET /", key.bytes(), " HTTP/1.1\r\n\r\n"));
        send(
            port,
            joined("*2\r\n$3\r\nGET\r\n$" + key.bytes().length + "\r\n", key.bytes(), "\r\n"));
        send(port, joined("*1\r\n$" + key.bytes().length + "\r\n", key.bytes(), "\r\n"));
      }
      for (int i = 0; i < NONSENSE; i++) {
        send(port, joined("GET /\u001b[31m\r\n{\"level\":\"ERROR\"}\r\n", new byte[0], "\r\n"));
      }
    }
    process.process().destroy();
    process.await();

    List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
    assertThat(lines)
        .hasSizeLessThan(MAX_LINES)
        .allMatch(line -> line.startsWith("{\"time\":\"") && line.endsWith("\"}"))
        .allMatch(line -> line.codePoints().allMatch(KeyText::isVisible))
        .noneMatch(line -> line.startsWith("{\"level\""));
  }

  private HeatshieldProcess serve(String server, String sections) throws IOException {
    HeatshieldProcess process =
        HeatshieldProcess.serve(
                folder,
                "server",
                "server: { http: '127.0.0.1:0', grpc: '127.0.0.1:0', resp: '127.0.0.1:0',"
                    + " state_dir: ./state"
                    + server
                    + " }\nlog: { format: json }\n"
                    + sections)
            .options("--enable-native-access=ALL-UNNAMED")
            .inWithErrors(folder, "server");
    processes.add(process);
    return process.awaitListening();
  }

  private static List<Integer> ports(HeatshieldProcess process) {
    var ports = new ArrayList<Integer>();
    for (String line : process.output().lines().toList()) {
      Matcher port = PORT.matcher(line);
      if (line.matches(" +(http|grpc|resp) .*") && port.find()) {
        ports.add(Integer.parseInt(port.group(1)));
      }
    }
    return ports;
  }

  /** Sends bytes on a connection of their own, and reads until the server is done with it. */
  private static void send(int port, byte[] bytes) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      socket.getInputStream().readAllBytes();
    } catch (IOException e) {
      // A reset is an answer too.
    }
  }

  private static byte[] joined(String before, byte[] bytes, String after) {
    var all = new ByteArrayOutputStream();
    all.writeBytes(before.getBytes(StandardCharsets.UTF_8));
    all.writeBytes(bytes);
    all.writeBytes(after.getBytes(StandardCharsets.UTF_8));
    return all.toByteArray();
  }
}
