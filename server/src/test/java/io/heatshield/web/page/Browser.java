package io.heatshield.web.page;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.heatshield.runtime.json.Json;
import io.heatshield.runtime.json.JsonReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A headless Chromium with one page, driven over its DevTools protocol. */
final class Browser implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
  private static final long PATIENCE_SECONDS = 60;

  private static @Nullable Browser shared;

  private final Process process;
  private final WebSocket socket;
  private final Map<Integer, CompletableFuture<Map<?, ?>>> asked;
  private final AtomicInteger ids = new AtomicInteger();

  private Browser(
      Process process, WebSocket socket, Map<Integer, CompletableFuture<Map<?, ?>>> asked) {
    this.process = process;
    this.socket = socket;
    this.asked = asked;
  }

  /** Returns the browser of this machine, if there is one. */
  static Optional<Path> find() {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
        .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Returns the browser of all tests of this JVM, as new, or skips the test where there is none.
   *
   * <p>A start takes longer than most tests of the page. A server of a test has a port of its own,
   * so its page shares no storage with others.
   */
  static synchronized Browser orSkip() throws Exception {
    Optional<Path> program = find();
    assumeTrue(program.isPresent(), "there is no Chromium on this machine");
    Browser browser = shared;
    if (browser == null || !browser.process.isAlive()) {
      Path profile = Files.createTempDirectory("heatshield-browser");
      Browser started = start(program.orElseThrow(), profile);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> started.endWith(profile)));
      browser = started;
      shared = started;
    }
    browser.reset();
    return browser;
  }

  private void reset() throws Exception {
    open(URI.create("about:blank"));
    send("Emulation.clearDeviceMetricsOverride", Map.of());
    send("Emulation.setEmulatedMedia", Map.of("features", List.of()));
  }

  private void endWith(Path profile) {
    close();
    try (Stream<Path> files = Files.walk(profile)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      // A process of the browser that has not ended yet may still write; the folder is temporary.
    }
  }

  /**
   * Starts a browser.
   *
   * @param profile an empty folder
   */
  static Browser start(Path program, Path profile) throws Exception {
    Process process =
        new ProcessBuilder(
                program.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                "--window-size=1100,1600",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    Path port = profile.resolve("DevToolsActivePort");
    while (!Files.exists(port) || Files.readAllLines(port).size() < 2) {
      if (!process.isAlive()) {
        throw new IOException("the browser ended with " + process.exitValue());
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
    var client = HttpClient.newHttpClient();
    String address = "http://127.0.0.1:" + Files.readAllLines(port).get(0) + "/json/list";
    byte[] pages =
        client
            .send(
                HttpRequest.newBuilder(URI.create(address)).build(),
                HttpResponse.BodyHandlers.ofByteArray())
            .body();
    var asked = new ConcurrentHashMap<Integer, CompletableFuture<Map<?, ?>>>();
    WebSocket socket =
        client
            .newWebSocketBuilder()
            .buildAsync(URI.create(socketOf(JsonReader.read(pages))), new Answers(asked))
            .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    return new Browser(process, socket, asked);
  }

  private static String socketOf(@Nullable Object pages) {
    return ((List<?>) pages)
        .stream()
            .map(page -> (Map<?, ?>) page)
            .filter(page -> "page".equals(page.get("type")))
            .map(page -> String.valueOf(page.get("webSocketDebuggerUrl")))
            .findFirst()
            .orElseThrow();
  }

  void open(URI address) throws Exception {
    send("Page.navigate", Map.of("url", address.toString()));
  }

  /** Returns the value of an expression of the page, as text. */
  String value(String expression) throws Exception {
    Map<?, ?> answer =
        send(
            "Runtime.evaluate",
            Map.of(
                "expression",
                "Promise.resolve(" + expression + ").then(String)",
                "returnByValue",
                true,
                "awaitPromise",
                true));
    Map<?, ?> result = (Map<?, ?>) answer.get("result");
    return result == null ? "" : String.valueOf(result.get("value"));
  }

  /** Runs a script in the page. */
  void run(String script) throws Exception {
    send("Runtime.evaluate", Map.of("expression", script));
  }

  /** Waits until an expression of the page is true. */
  void await(String expression) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!value(expression).equals("true")) {
      if (System.nanoTime() > end) {
        throw new AssertionError(
            "never came true: "
                + expression
                + "; the page says "
                + value("document.body.innerText"));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  /** Sets the size of the window and what the user prefers, {@code dark} or {@code light}. */
  void show(int width, int height, String scheme) throws Exception {
    send(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    send(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  /** Presses a key, by its name and its code on Windows. */
  void press(String key, int code) throws Exception {
    for (String type : List.of("keyDown", "keyUp")) {
      send(
          "Input.dispatchKeyEvent",
          Map.of(
              "type",
              type,
              "key",
              key,
              "code",
              key,
              "windowsVirtualKeyCode",
              code,
              "text",
              type.equals("keyDown") && key.equals("Enter") ? "\r" : ""));
    }
  }

  /** Returns the page as a screen reader sees it. */
  List<AccessibleNode> heard() throws Exception {
    Map<?, ?> answer = send("Accessibility.getFullAXTree", Map.of());
    return ((List<?>) answer.get("nodes"))
        .stream()
            .map(node -> (Map<?, ?>) node)
            .filter(node -> !Boolean.TRUE.equals(node.get("ignored")))
            .map(node -> new AccessibleNode(valueOf(node.get("role")), valueOf(node.get("name"))))
            .toList();
  }

  private static String valueOf(@Nullable Object property) {
    return property instanceof Map<?, ?> map ? String.valueOf(map.get("value")) : "";
  }

  /** Saves a screenshot of the window. */
  void screenshot(Path file) throws Exception {
    Map<?, ?> answer = send("Page.captureScreenshot", Map.of("format", "png"));
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, Base64.getDecoder().decode(String.valueOf(answer.get("data"))));
  }

  private Map<?, ?> send(String method, Map<String, Object> params) throws Exception {
    int id = ids.incrementAndGet();
    var answered = new CompletableFuture<Map<?, ?>>();
    asked.put(id, answered);
    socket
        .sendText(Json.write(Map.of("id", id, "method", method, "params", params)), true)
        .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    Map<?, ?> answer = answered.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (!(answer.get("result") instanceof Map<?, ?> result)) {
      throw new IOException(method + " was refused: " + answer);
    }
    return result;
  }

  @Override
  public void close() {
    socket.abort();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().onExit().join();
  }

  /** Assembles the answers of the browser and completes their calls; events are ignored. */
  private static final class Answers implements WebSocket.Listener {
    private final Map<Integer, CompletableFuture<Map<?, ?>>> asked;
    private final StringBuilder text = new StringBuilder();

    Answers(Map<Integer, CompletableFuture<Map<?, ?>>> asked) {
      this.asked = asked;
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        Object read = JsonReader.read(text.toString().getBytes(StandardCharsets.UTF_8));
        text.setLength(0);
        if (read instanceof Map<?, ?> answer && answer.get("id") != null) {
          CompletableFuture<Map<?, ?>> waiting =
              asked.remove(Integer.valueOf(String.valueOf(answer.get("id"))));
          if (waiting != null) {
            waiting.complete(answer);
          }
        }
      }
      socket.request(1);
      return null;
    }
  }
}
