package io.heatshield.web.http;

import io.heatshield.runtime.net.Transport;
import io.heatshield.testkit.client.RawHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A door on a free loopback port, open until the end of a test. */
final class OpenDoor implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Transport transport = new Transport(1);
  private final HttpDoor door;

  OpenDoor(Consumer<Routes.Builder> routes, UnaryOperator<HttpDoor.Builder> furnish) {
    Routes.Builder table = Routes.builder();
    routes.accept(table);
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    HttpDoor.Builder plain = HttpDoor.builder(transport, address, table.build("1.2.3"));
    door = furnish.apply(plain.limits(patient())).build();
    try {
      door.start();
    } catch (IOException e) {
      transport.stop(PATIENCE);
      throw new UncheckedIOException(e);
    }
  }

  static OpenDoor with(Route... routes) {
    return limited(patient(), routes);
  }

  static OpenDoor limited(HttpLimits limits, Route... routes) {
    return new OpenDoor(
        table -> {
          for (Route route : routes) {
            table.add(route);
          }
        },
        door -> door.limits(limits));
  }

  /** Returns limits for a busy machine: no client of a test is late unless the test says so. */
  private static HttpLimits patient() {
    var forever = Duration.ofMinutes(10);
    return TestLimits.readTimeouts(forever, forever, forever);
  }

  /** Returns a route whose answer is its body, or "hello" if there is none. */
  static Route hello() {
    return Route.get("/hello", "Greets.", request -> Response.text(200, "hello").now());
  }

  static Route echo() {
    return Route.of(
            Method.POST,
            "/echo",
            "Says the body again.",
            request -> Response.of(200, Response.TEXT, request.body()).now())
        .open();
  }

  HttpDoor door() {
    return door;
  }

  HttpCounters counters() {
    return door.counters();
  }

  RawHttp client() {
    return new RawHttp(door.address());
  }

  @Override
  public void close() {
    door.stop(Duration.ZERO);
    transport.stop(PATIENCE);
  }
}
