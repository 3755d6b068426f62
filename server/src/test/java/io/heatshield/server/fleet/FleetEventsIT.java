package io.heatshield.server.fleet;

import static io.heatshield.server.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.runtime.net.Transport;
import io.heatshield.server.TestServer;
import io.heatshield.testkit.client.RawResp;
import io.heatshield.web.http.HttpServer;
import io.heatshield.web.http.Method;
import io.heatshield.web.http.Response;
import io.heatshield.web.http.Route;
import io.heatshield.web.http.Routes;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A key that is hot only in the fleet reaches each node's listeners, and the webhook once. */
@Timeout(120)
class FleetEventsIT {
  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final Transport transport = new Transport(1);
  private final HttpServer receiver =
      HttpServer.builder(
              transport,
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
              Routes.builder()
                  .add(
                      Route.of(
                              Method.POST,
                              "/hook",
                              "Takes a turn.",
                              request -> {
                                bodies.add(new String(request.body(), StandardCharsets.UTF_8));
                                return Response.empty(204);
                              })
                          .open())
                  .build("1"))
          .build();

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @BeforeEach
  void start() throws Exception {
    receiver.start();
  }

  @AfterEach
  void stop() {
    receiver.stop(Duration.ofSeconds(1));
    transport.stop(Duration.ofSeconds(30));
  }

  @Test
  void keyHotInTheFleetOnly_isPostedOnceAndPublishedByEachNode() throws Exception {
    String lines =
        "detect: { threshold: 10, window: 6s }\nwebhook: { url: 'http://127.0.0.1:"
            + receiver.address().getPort()
            + "/hook' }\n";
    try (var fleet = new FleetServers(folder)) {
      TestServer one = fleet.serve("a", lines);
      TestServer two = fleet.serve("b", lines);
      Iterator<String> first = events(one);
      Iterator<String> second = events(two);
      try (RawResp channel = two.connect()) {
        channel.call("SUBSCRIBE", "__hotkey__");

        touch(one, 40);
        touch(two, 40);

        assertThat(first.next()).contains("\"event\":\"hot\"", "\"fleet\":\"prod\"");
        assertThat(second.next()).contains("\"event\":\"hot\"", "\"nodes\":2");
        assertThat(channel.reply()).contains("\"event\":\"hot\"", "\"fleet\":\"prod\"");
        assertThat(first.next()).contains("\"event\":\"cool\"", "\"fleet\":\"prod\"");
        assertThat(second.next()).contains("\"event\":\"cool\"", "\"key\":\"together\"");
        assertThat(channel.reply()).contains("\"event\":\"cool\"");
      }
      await(() -> bodies.size() >= 2);
    }

    assertThat(bodies).hasSize(2).allMatch(body -> body.contains("\"key\":\"together\""));
    assertThat(bodies.get(0)).contains("\"event\":\"hot\"", "\"sequence\":1");
    assertThat(bodies.get(1)).contains("\"event\":\"cool\"", "\"fleet\":\"prod\"");
  }

  private static void touch(TestServer server, int times) {
    for (int i = 0; i < times; i++) {
      server.server().scopes().open("main").touch("together");
    }
  }

  private static Iterator<String> events(TestServer server) throws Exception {
    HttpResponse<Stream<String>> response =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(server.at("api/v1/events")).build(),
                HttpResponse.BodyHandlers.ofLines());
    return response.body().filter(line -> line.startsWith("data:")).iterator();
  }
}
