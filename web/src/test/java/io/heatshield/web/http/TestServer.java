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

/** An HTTP server on a free loopback port, running until the end of a test. */
final class TestServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Transport transport = new Transport(1);
  private final HttpServer server;

  TestServer(Consumer<Routes.Builder> routes, UnaryOperator<HttpServer.Builder> configure) {
    Routes.Builder table = Routes.builder();
    routes.accept(table);
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    HttpServer.Builder plain = HttpServer.builder(transport, address, table.build("1.2.3"));
    server = configure.apply(plain.limits(patient())).build();
    try {
      server.start();
    } catch (IOException e) {
      transport.stop(PATIENCE);
      throw new UncheckedIOException(e);
    }
  }

  static TestServer with(Route... routes) {
    return limited(patient(), routes);
  }

  static TestServer limited(HttpLimits limits, Route... routes) {
    return new TestServer(
        table -> {
          for (Route route : routes) {
            table.add(route);
          }
        },
        server -> server.limits(limits));
  }

  /** Returns limits for a busy machine, without short timeouts. */
  private static HttpLimits patient() {
    var forever = Duration.ofMinutes(10);
    return TestLimits.readTimeouts(forever, forever, forever);
  }

  /** Returns a route whose answer is its body, or "hello" if there is none. */
  static Route hello() {
    return Route.get("/hello", "Greets.", request -> Response.text(200, "hello"));
  }

  static Route echo() {
    return Route.of(
            Method.POST,
            "/echo",
            "Says the body again.",
            request -> Response.of(200, Response.TEXT, request.body()))
        .open();
  }

  HttpServer server() {
    return server;
  }

  HttpMeters meters() {
    return server.meters();
  }

  RawHttp client() {
    return new RawHttp(server.address());
  }

  @Override
  public void close() {
    server.stop(Duration.ZERO);
    transport.stop(PATIENCE);
  }
}
