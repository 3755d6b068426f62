package io.heatshield.web.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.testkit.client.RawHttp;
import io.heatshield.testkit.client.RawHttp.Answer;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StaticFilesTest {
  private static TestServer open;

  @BeforeAll
  static void openPort() {
    open = new TestServer(table -> table.addAll(StaticFiles.page()), server -> server);
  }

  @AfterAll
  static void closePort() {
    open.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/../../etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/%2E%2E%2F%2E%2E%2Fetc/passwd",
        "/..%5c..%5cetc%5cpasswd",
        "/..\\..\\etc\\passwd",
        "/%252e%252e/etc/passwd",
        "/..%c0%af..%c0%afetc/passwd",
        "/%c0%ae%c0%ae/etc/passwd",
        "/....//....//etc/passwd",
        "/page.css/../index.html",
        "/./page.css",
        "//page.css",
        "/page.css/",
        "/page.css%00",
        "/page.css%00.html",
        "/index.html",
        "/page/page.css",
        "/HttpServer.class",
        "/version.properties",
        "/META-INF/MANIFEST.MF",
        "/file:///etc/passwd",
      })
  void get_anythingButTheListedFiles_is404(String path) {
    try (var client = open.client()) {
      assertThat(client.get(path).answer().status()).isEqualTo(404);
    }
  }

  @Test
  void get_theFiles_haveTheirTypes() {
    try (var client = open.client()) {
      Answer page = client.get("/").answer();

      assertThat(page.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
      assertThat(page.body()).startsWith("<!doctype html>");
      assertThat(client.get("/page.css").answer().header("Content-Type")).startsWith("text/css");
      assertThat(client.get("/icon.svg").answer().header("Content-Type"))
          .isEqualTo("image/svg+xml");
      assertThat(client.get("/page.js").answer().header("Content-Type"))
          .startsWith("text/javascript");
    }
  }

  @Test
  void get_withTheTagOfTheFile_is304() {
    try (var client = open.client()) {
      String tag = client.get("/page.css").answer().header("ETag");
      client.send("GET /page.css HTTP/1.1\nHost: localhost\nIf-None-Match: \"x\", " + tag + "\n\n");
      Answer same = client.answer();
      client.send("GET /page.css HTTP/1.1\nHost: localhost\nIf-None-Match: \"x\"\n\n");
      Answer other = client.answer();

      assertThat(same.status()).isEqualTo(304);
      assertThat(same.header("ETag")).isEqualTo(tag);
      assertThat(other.status()).isEqualTo(200);
    }
  }

  @Test
  void get_withGzipAccepted_isCompressedWithAnotherTag() {
    try (var client = open.client()) {
      String plain = client.get("/page.css").answer().header("ETag");
      Answer packed = get(client, "br, gzip;q=0.5");
      Answer refused = get(client, "gzip;q=0, br");

      assertThat(packed.header("Content-Encoding")).isEqualTo("gzip");
      assertThat(packed.header("Vary")).isEqualTo("Accept-Encoding");
      assertThat(packed.header("ETag")).isNotEqualTo(plain);
      assertThat(refused.headers()).doesNotContainKey("content-encoding");
    }
  }

  @Test
  void page_response_hasItsContentSecurityPolicy() {
    try (var client = open.client()) {
      String page = client.get("/").answer().body();

      assertThat(page).doesNotContainPattern("(?i)<style|style=|\\son[a-z]+=|<script(?![^>]*src=)");
      assertThat(page).doesNotContainPattern(Pattern.compile("(src|href)=\"(https?:)?//"));
      for (String name : List.of("page", "format", "explain", "heat")) {
        assertThat(client.get("/" + name + ".js").answer().body())
            .doesNotContain(
                "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(");
      }
      assertThat(client.get("/format.js").answer().body()).contains("textContent");
    }
  }

  @Test
  void routes_ofAFileThatIsNotThere_failAtStart() {
    assertThatThrownBy(() -> StaticFiles.routes("page", List.of("none.css")))
        .isInstanceOf(UncheckedIOException.class);
    assertThatThrownBy(() -> StaticFiles.routes("page", List.of("none.exe")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Answer get(RawHttp client, String accepted) {
    String head = "GET /page.css HTTP/1.1\nHost: localhost\nAccept-Encoding: ";
    return client.send(head + accepted + "\n\n").answer();
  }
}
