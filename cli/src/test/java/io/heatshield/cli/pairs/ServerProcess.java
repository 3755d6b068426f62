package io.heatshield.cli.pairs;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.cli.HeatshieldProcess;
import io.heatshield.cli.Wait;
import io.heatshield.cli.view.JsonObject;
import io.heatshield.runtime.json.JsonReader;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** One real server process of a combination, with checks of its API, metrics and log. */
final class ServerProcess {
  private static final Pattern SAMPLE =
      Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*(\\{[^\\n]*})? (\\S+)( [0-9]+)?");
  private static final String RELOADED = "configuration reloaded";

  private final Combination combination;
  private final HeatshieldProcess process;
  private final @Nullable SSLContext tls;
  private final HttpClient client;

  private ServerProcess(Combination combination, HeatshieldProcess process, Certificate certificate)
      throws IOException {
    this.combination = combination;
    this.process = process.awaitListening();
    this.tls = combination.isOn(Factor.TLS) ? certificate.trusting() : null;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(certificate.trusting())
            .build();
    Wait.until("ready: " + process.output(), () -> get("readyz").statusCode() == 200);
  }

  /**
   * Starts a server and waits until it is ready.
   *
   * @param name of the file of its output
   */
  static ServerProcess start(
      Combination combination, Path file, String name, Certificate certificate) throws IOException {
    HeatshieldProcess process =
        HeatshieldProcess.command("serve", "--config", file.toString())
            .options(combination.has(Factor.MEMORY, "1MiB") ? "-Xmx128m" : "-Xmx512m")
            .in(file.resolveSibling("."), name);
    try {
      return new ServerProcess(combination, process, certificate);
    } catch (IOException | RuntimeException | Error e) {
      process.kill();
      throw e;
    }
  }

  /** Opens a client that is logged in and speaks the protocol of the combination. */
  RespClient connect() throws IOException {
    return connect(combination.isShield() ? "default" : "app");
  }

  /** Opens a client that may remove all keys. */
  RespClient connectAdmin() throws IOException {
    if (combination.isShield() || combination.isOn(Factor.USERS)) {
      return connect(combination.isShield() ? "default" : "operator");
    }
    RespClient admin = connect("admin");
    assertThat(admin.call("AUTH", "admin", ConfigFile.ADMIN_TOKEN)).isEqualTo("OK");
    return admin;
  }

  private RespClient connect(String user) throws IOException {
    RespClient opened = RespClient.open(process.resp(), tls);
    String version = combination.has(Factor.PROTOCOL, "resp3") ? "3" : "2";
    String password = combination.isShield() ? Backing.PASSWORD : ConfigFile.PASSWORD;
    String hello =
        combination.isOn(Factor.USERS)
            ? opened.call("HELLO", version, "AUTH", user, password)
            : opened.call("HELLO", version);
    assertThat(hello).contains("\"proto\", (" + version + ")");
    return opened;
  }

  /** Returns the answer to a question. */
  HttpResponse<String> get(String path) throws IOException {
    try {
      return client.send(
          HttpRequest.newBuilder(process.http().resolve(path))
              .timeout(Duration.ofSeconds(30))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Returns the answer to a question as facts. */
  JsonObject facts(String path) throws IOException {
    HttpResponse<String> answer = get(path);
    assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(200);
    return new JsonObject(JsonReader.read(answer.body().getBytes(StandardCharsets.UTF_8)));
  }

  /** Asks for the rate limit many times at once and returns how often the answer was yes. */
  long admitted(int calls) {
    HttpRequest question =
        HttpRequest.newBuilder(process.http().resolve("json"))
            .timeout(Duration.ofSeconds(30))
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"domain\":\"shop\",\"descriptors\":[{\"entries\":[{\"key\":\"a\"}]}]}"))
            .build();
    List<CompletableFuture<Integer>> answers =
        IntStream.range(0, calls)
            .mapToObj(
                i ->
                    client
                        .sendAsync(question, HttpResponse.BodyHandlers.discarding())
                        .thenApply(HttpResponse::statusCode))
            .toList();
    List<Integer> statuses = answers.stream().map(CompletableFuture::join).toList();
    assertThat(statuses).containsAnyOf(200, 429).isSubsetOf(200, 429);
    return statuses.stream().filter(status -> status == 200).count();
  }

  /** Returns how many saved configurations are in effect since the start. */
  int reloads() {
    return lines().stream().filter(line -> line.contains(RELOADED)).toList().size();
  }

  /** Checks that the server is ready, its metrics can be read and its log has no complaint. */
  void checkHealth() throws IOException {
    HttpResponse<String> ready = get("readyz");
    assertThat(ready.statusCode()).as(ready.body()).isEqualTo(200);
    assertThat(get("metrics").body().lines().filter(line -> !line.startsWith("#")))
        .isNotEmpty()
        .allSatisfy(
            line -> {
              Matcher sample = SAMPLE.matcher(line);
              assertThat(sample.matches()).as(line).isTrue();
              assertThat(sample.group(2)).satisfies(Double::parseDouble);
            });
    checkLog();
  }

  /** Checks that the log has no warning, no error and no stack trace that is not expected. */
  void checkLog() {
    assertThat(lines().stream().filter(line -> ExpectedLog.isComplaint(line, combination)))
        .isEmpty();
  }

  /** Returns whether the process runs. */
  boolean isAlive() {
    return process.process().isAlive();
  }

  /** Kills the process at once. */
  void kill() {
    process.kill();
  }

  /** Asks the process to end and checks that it does so in order. */
  void stop() throws IOException {
    process.process().destroy();
    Wait.until("the end after SIGTERM", () -> !isAlive());
    assertThat(process.process().exitValue()).as(() -> "exit code; log: " + lines()).isZero();
    checkLog();
  }

  /** Returns what the process wrote. */
  List<String> lines() {
    return process.output().lines().toList();
  }
}
