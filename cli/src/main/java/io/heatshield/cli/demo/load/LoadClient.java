package io.heatshield.cli.demo.load;

import io.heatshield.resp.ProtocolException;
import io.heatshield.resp.Reply;
import io.heatshield.resp.ReplyParser;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * A Redis client that sends without waiting for replies, up to a limit of requests in flight.
 *
 * <p>One thread sends; a background thread reads and records the replies.
 */
public final class LoadClient {
  private static final int MAX_IN_FLIGHT = 64;
  private static final int MAX_REPLY = 1 << 16;
  private static final long NOT_MEASURED = 0;
  private static final byte[] END = {'\r', '\n'};

  private final Socket socket;
  private final LoadMeter meter;
  private final BlockingQueue<Long> inFlight = new ArrayBlockingQueue<>(MAX_IN_FLIGHT);
  private final ByteBuf out = Unpooled.buffer();
  private volatile boolean closed;

  /** Connects to a port of this machine. */
  public LoadClient(int port, String name, LoadMeter meter) throws IOException {
    this.meter = meter;
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    write(bytes("CLIENT"), bytes("SETNAME"), bytes(name));
    inFlight.add(NOT_MEASURED);
    flush();
    var reader = new Thread(this::read, "demo-" + name);
    reader.setDaemon(true);
    reader.start();
  }

  /** Sends a request, or skips it if too many are in flight. */
  public void send(byte[][] words, long dueNanos) {
    if (inFlight.offer(dueNanos)) {
      write(words);
      meter.sent();
    } else {
      meter.skipped();
    }
  }

  public void flush() {
    try {
      out.readBytes(socket.getOutputStream(), out.readableBytes());
    } catch (IOException e) {
      close();
    }
    out.clear();
  }

  public void close() {
    closed = true;
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private void write(byte[]... words) {
    out.writeBytes(bytes("*" + words.length + "\r\n"));
    for (byte[] word : words) {
      out.writeBytes(bytes("$" + word.length + "\r\n")).writeBytes(word).writeBytes(END);
    }
  }

  private void read() {
    var parser = new ReplyParser(MAX_REPLY);
    ByteBuf in = Unpooled.buffer();
    var piece = new byte[MAX_REPLY];
    try {
      int read = socket.getInputStream().read(piece);
      while (read >= 0) {
        in.discardReadBytes().writeBytes(piece, 0, read);
        Reply reply = parser.read(in);
        while (reply != null) {
          record(reply);
          reply = parser.read(in);
        }
        read = socket.getInputStream().read(piece);
      }
    } catch (IOException | ProtocolException e) {
      if (!closed) {
        meter.failed();
      }
    }
  }

  private void record(Reply reply) {
    Long due = inFlight.poll();
    if (due == null || due == NOT_MEASURED) {
      return;
    }
    if (reply.isError("THROTTLED ")) {
      meter.throttled();
    } else if (reply.isError()) {
      meter.failed();
    } else {
      meter.answered(System.nanoTime() - due);
    }
  }
}
