package io.heatshield.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.runtime.secret.AdminToken;
import io.heatshield.testkit.client.RawHttp.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Access checks: hosts, origins and the admin token. */
class HttpAccessTest {
  private static final String TOKEN = "0123456789abcdef-token";

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "localhost, 200",
    "LOCALHOST.:9999, 200",
    "127.0.0.1:80, 200",
    "[::1]:80, 200",
    "shield.example, 200",
    "evil.example, 403",
    "localhost.evil.example, 403",
    "10.0.0.1, 403",
    "[fe80::1], 403",
  })
  void host_isAcceptedOnlyIfItIsThatOfThePort(String host, int status) {
    try (var open = server(AdminToken.none());
        var client = open.client()) {
      client.send("GET /hello HTTP/1.1\nHost: " + host + "\n\n");

      assertThat(client.answer().status()).isEqualTo(status);
    }
  }

  @Test
  void absoluteTarget_withAForeignHost_is403() {
    try (var open = server(AdminToken.none());
        var client = open.client()) {
      client.send("GET http://evil.example/hello HTTP/1.1\nHost: localhost\n\n");

      assertThat(client.answer().status()).isEqualTo(403);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost:8080, 200",
    "https://localhost:8080, 200",
    "http://localhost:3000, 403",
    "http://evil.example, 403",
    "null, 403",
    "localhost:8080, 403",
  })
  void origin_ofAChange_mustBeThatOfThePort(String origin, int status) {
    try (var open = server(AdminToken.none());
        var client = open.client()) {
      String from = "Host: localhost:8080\nOrigin: " + origin + "\n";

      client.send("POST /echo HTTP/1.1\n" + from + "Content-Length: 0\n\n");
      assertThat(client.answer().status()).isEqualTo(status);

      client.send("GET /hello HTTP/1.1\n" + from + "\n");
      assertThat(client.answer().status()).isEqualTo(200);
    }
  }

  @Test
  void origin_ofAForeignPage_isRejectedForEvents() {
    Route events = Route.get("/api/events", "Streams.", r -> Response.events(s -> {}));
    try (var open = TestServer.with(events);
        var client = open.client()) {
      client.send("GET /api/events HTTP/1.1\nHost: localhost\nOrigin: http://evil.example\n\n");

      assertThat(client.answer().status()).isEqualTo(403);
      assertThat(open.meters().streams.sum()).isZero();
    }
  }

  @Test
  void change_withoutToken_is401WithTheScheme() throws IOException {
    try (var open = server(AdminToken.fromFile(tokenFile()));
        var client = open.client()) {
      Answer answer = client.send(change("")).answer();
      Answer basic = client.send(change("Authorization: Basic " + TOKEN + "\n")).answer();

      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"heatshield\"");
      assertThat(basic.status()).isEqualTo(401);
      assertThat(open.meters().adminRefusals.sum()).isEqualTo(2);
    }
  }

  @Test
  void change_withAWrongToken_is403AndTheRightOnePasses() throws IOException {
    try (var open = server(AdminToken.fromFile(tokenFile()));
        var client = open.client()) {
      Answer wrong = client.send(change("Authorization: Bearer " + TOKEN + "x\n")).answer();
      Answer right = client.send(change("Authorization: bearer " + TOKEN + "\n")).answer();

      assertThat(wrong.status()).isEqualTo(403);
      assertThat(wrong.body()).doesNotContain(TOKEN);
      assertThat(right.status()).isEqualTo(200);
      assertThat(open.meters().adminRefusals.sum()).isEqualTo(1);
    }
  }

  @Test
  void change_whenNoTokenIsConfigured_is403AndNamesTheSetting() {
    try (var open = server(AdminToken.none());
        var client = open.client()) {
      Answer answer = client.send(change("Authorization: Bearer " + TOKEN + "\n")).answer();

      assertThat(answer.status()).isEqualTo(403);
      assertThat(answer.body()).contains("server.admin_token_file");
    }
  }

  @Test
  void change_ofAnUnknownPath_is404WithoutAuthentication() {
    try (var open = server(AdminToken.none());
        var client = open.client()) {
      client.send("DELETE /api/v1/none HTTP/1.1\nHost: localhost\n\n");

      assertThat(client.answer().status()).isEqualTo(404);
    }
  }

  private Path tokenFile() throws IOException {
    Path file = folder.resolve("token");
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, TOKEN + "\n");
  }

  private static String change(String header) {
    return "PATCH /api/v1/config HTTP/1.1\nHost: localhost\n" + header + "Content-Length: 0\n\n";
  }

  private static TestServer server(AdminToken token) {
    Route patch =
        Route.of(Method.PATCH, "/api/v1/config", "Changes settings.", r -> Response.json("done"));
    return new TestServer(
        table -> table.addAll(List.of(TestServer.hello(), TestServer.echo(), patch)),
        server -> server.adminToken(token).hosts(List.of("shield.example")));
  }
}
