package io.heatshield.web.page;

import io.heatshield.detect.HotKeyDetector;
import io.heatshield.server.HeatshieldServer;
import io.heatshield.server.TestServer;
import java.net.URI;
import java.nio.file.Path;

/** A whole server and a real browser for its page; a test is skipped where there is no browser. */
final class PageFixture implements AutoCloseable {
  static final String TOKEN = TestServer.TOKEN;

  final Browser browser;
  private final Path folder;
  private final String more;
  private TestServer server;

  private PageFixture(Path folder, String more, Browser browser) throws Exception {
    this.folder = folder;
    this.more = more;
    this.browser = browser;
    server = serve(0);
  }

  /**
   * Starts a server, for the browser of all tests.
   *
   * @param folder an empty folder
   * @param more lines of the configuration besides the section {@code server}
   */
  static PageFixture start(Path folder, String more) throws Exception {
    return new PageFixture(folder, more, Browser.orSkip());
  }

  private TestServer serve(int port) throws Exception {
    String token = TestServer.adminToken(folder);
    return TestServer.start(folder, TestServer.section(port, folder.resolve("state"), token), more);
  }

  HeatshieldServer server() {
    return server.server();
  }

  /** Stops the server; the page stays open. */
  void stopServer() {
    server.stop();
  }

  /** Starts a server at the same address. */
  void startServerAgain() throws Exception {
    server = serve(server.server().http().getPort());
  }

  /** Opens the page, with a fragment such as {@code view=keys}, and waits until it has drawn. */
  void open(String fragment) throws Exception {
    URI address = server.server().http();
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
    server.stop();
  }
}
