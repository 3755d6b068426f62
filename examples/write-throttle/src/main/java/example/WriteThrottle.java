package example;

import static java.time.Duration.ofSeconds;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.heatshield.action.Admission;
import io.heatshield.ring.HotRing;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A store behind HTTP. At most 20 writes of one key are admitted in a second. Keys that are written
 * often are stored apart, and their writes reach the store in groups.
 */
public final class WriteThrottle {
  private static final long LIMIT = 20;
  private static final long HOT = 8;
  private static final int GROUP = 4;

  private final HotRing writes = HotRing.builder().window(ofSeconds(1)).maxKeys(100_000).build();
  private final Map<String, byte[]> cold = new ConcurrentHashMap<>();
  private final Map<String, byte[]> hot = new ConcurrentHashMap<>();
  private final Map<String, List<byte[]>> groups = new ConcurrentHashMap<>();

  public static void main(String[] args) throws Exception {
    var store = new WriteThrottle();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", store::handle);
    server.start();
    try {
      URI order = URI.create("http://localhost:" + server.getAddress().getPort() + "/order:7");
      HttpClient client = HttpClient.newHttpClient();
      int refused = 0;
      HttpResponse<String> last = null;
      for (int i = 0; i < 1_000 && refused == 0; i++) {
        last = client.send(write(order, "version " + i), BodyHandlers.ofString());
        refused += last.statusCode() == 429 ? 1 : 0;
      }
      System.out.println("status " + last.statusCode());
      System.out.println("Retry-After " + last.headers().firstValue("Retry-After").orElse("missing"));
      System.out.println("stored with the hot keys: " + store.hot.containsKey("order:7"));
    } finally {
      server.stop(0);
    }
  }

  private static HttpRequest write(URI uri, String body) {
    return HttpRequest.newBuilder(uri).PUT(BodyPublishers.ofString(body)).build();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String key = exchange.getRequestURI().getPath().substring(1);
      byte[] value = exchange.getRequestBody().readAllBytes();
      Admission write = writes.tryTouch(key, LIMIT);
      if (!write.admitted()) {
        String seconds = Long.toString(write.retryAfterSeconds());
        exchange.getResponseHeaders().set("Retry-After", seconds);
        exchange.sendResponseHeaders(429, -1);
        return;
      }
      put(key, value, LIMIT - write.remaining());
      exchange.sendResponseHeaders(204, -1);
    }
  }

  /** Stores a value with the hot or the cold keys; the writes of a hot key in groups. */
  private void put(String key, byte[] value, long recentWrites) {
    if (recentWrites < HOT) {
      cold.put(key, value);
      return;
    }
    cold.remove(key);
    groups.compute(
        key,
        (same, pending) -> {
          List<byte[]> group = pending == null ? new ArrayList<>() : pending;
          group.add(value);
          if (group.size() < GROUP && hot.containsKey(key)) {
            return group;
          }
          hot.put(key, group.get(group.size() - 1)); // One write of the store for the group.
          return null;
        });
  }
}
