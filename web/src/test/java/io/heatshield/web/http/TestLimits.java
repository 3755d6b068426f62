package io.heatshield.web.http;

import java.time.Duration;

/** The bounds of a server with some of them changed. */
final class TestLimits {
  private int connections = HttpLimits.defaults().maxConnections();
  private int streams = HttpLimits.defaults().maxStreams();
  private int streamBytes = HttpLimits.defaults().streamBufferBytes();
  private Duration header = HttpLimits.defaults().headerTimeout();
  private Duration body = HttpLimits.defaults().bodyTimeout();
  private Duration idle = HttpLimits.defaults().idleTimeout();
  private Duration handler = HttpLimits.defaults().handlerTimeout();
  private Duration write = HttpLimits.defaults().writeTimeout();
  private Duration linger = HttpLimits.defaults().lingerTimeout();
  private Duration heartbeat = HttpLimits.defaults().heartbeat();

  private TestLimits() {}

  static HttpLimits clients(int connections, int streams) {
    var limits = new TestLimits();
    limits.connections = connections;
    limits.streams = streams;
    return limits.build();
  }

  static HttpLimits readTimeouts(Duration header, Duration body, Duration idle) {
    var limits = new TestLimits();
    limits.header = header;
    limits.body = body;
    limits.idle = idle;
    return limits.build();
  }

  static HttpLimits answerTimeouts(Duration handler, Duration write, Duration linger) {
    var limits = new TestLimits();
    limits.handler = handler;
    limits.write = write;
    limits.linger = linger;
    return limits.build();
  }

  static HttpLimits streams(int bytes, Duration heartbeat) {
    var limits = new TestLimits();
    limits.streamBytes = bytes;
    limits.heartbeat = heartbeat;
    return limits.build();
  }

  private HttpLimits build() {
    HttpLimits usual = HttpLimits.defaults();
    return new HttpLimits(
        connections,
        usual.maxLineBytes(),
        usual.maxHeaderBytes(),
        usual.maxBodyBytes(),
        header,
        body,
        idle,
        handler,
        write,
        linger,
        streams,
        streamBytes,
        heartbeat);
  }
}
