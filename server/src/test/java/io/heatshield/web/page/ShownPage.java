package io.heatshield.web.page;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.server.HeatshieldServer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A whole server and a real browser for its page; a test is skipped where there is no browser. */
final class ShownPage implements AutoCloseable {
  static final String TOKEN = "0123456789abcdef-token";

  final Browser browser;
  private final Path folder;
  private final String more;
  private HeatshieldServer server;

  private ShownPage(Path folder, String more, Path program) throws Exception {
    this.folder = folder;
    this.more = more;
    server = serve(0);
    browser = Browser.start(program, Files.createDirectory(folder.resolve("profile")));
  }

  /**
   * Starts a server and a browser.
   *
   * @param folder an empty folder
   * @param more lines of the configuration besides the section {@code server}
   */
  static ShownPage start(Path folder, String more) throws Exception {
    Optional<Path> program = Browser.find();
    assumeTrue(program.isPresent(), "there is no Chromium on this machine");
    return new ShownPage(folder, more, program.orElseThrow());
  }

  private HeatshieldServer serve(int port) throws Exception {
    Path token = folder.resolve("token");
    if (!Files.exists(token)) {
      Files.writeString(token, TOKEN);
      Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    }
    Path file =
        Files.writeString(
            folder.resolve("heatshield.yaml"),
            "server: { http: '127.0.0.1:"
                + port
                + "', resp: '127.0.0.1:0', state_dir: '"
                + folder.resolve("state")
                + "', admin_token_file: '"
                + token
                + "' }\n"
                + more
                + "\n");
    var loader = new ConfigLoader(Map.of());
    LoadResult.Valid valid = (LoadResult.Valid) loader.load(file);
    return HeatshieldServer.start(loader, valid.configuration(), file);
  }

  HeatshieldServer server() {
    return server;
  }

  /** Stops the server; the page stays open. */
  void stopServer() {
    server.stop(Duration.ofSeconds(5));
  }

  /** Starts a server at the same address. */
  void startServerAgain() throws Exception {
    server = serve(server.http().getPort());
  }

  /** Opens the page, with a fragment such as {@code view=keys}, and waits until it has drawn. */
  void open(String fragment) throws Exception {
    URI address = server.http();
    browser.open(URI.create("about:blank"));
    browser.open(fragment.isEmpty() ? address : URI.create(address + "#" + fragment));
    browser.await(
        "document.getElementById('state') !== null"
            + " && document.getElementById('state').dataset.state !== 'asking'");
  }

  String text(String id) throws Exception {
    return browser.value("document.getElementById('" + id + "').innerText");
  }

  void awaitText(String id, String part) throws Exception {
    browser.await("document.getElementById('" + id + "').textContent.includes('" + part + "')");
  }

  void click(String selector) throws Exception {
    browser.value("document.querySelector(\"" + selector + "\").click()");
  }

  static void heat(HotKeyDetector detector, String key) {
    for (int i = 0; i < 7_000; i++) {
      detector.touch(key);
    }
  }

  @Override
  public void close() {
    browser.close();
    server.stop(Duration.ofSeconds(5));
  }
}
