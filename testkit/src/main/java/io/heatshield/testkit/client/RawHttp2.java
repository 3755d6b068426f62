package io.heatshield.testkit.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A blocking HTTP/2 client for one gRPC method that sends single frames, valid or not. */
public final class RawHttp2 implements AutoCloseable {
  private static final int FRAME_BYTES = 16 << 10;

  private final String path;
  private final Socket socket;
  private final DataOutputStream out;
  private final DataInputStream in;

  /**
   * Connects and sends the preface.
   *
   * @param port a port on loopback
   * @param path the method to call, such as {@code /package.Service/Method}
   */
  public RawHttp2(int port, String path) throws IOException {
    this.path = path;
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    out = new DataOutputStream(socket.getOutputStream());
    in = new DataInputStream(socket.getInputStream());
    out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    frame(4, 0, 0, new byte[0]);
  }

  /** Sends one frame. */
  public void frame(int type, int flags, int stream, byte[] payload) throws IOException {
    byte[] frame = new byte[9 + payload.length];
    frame[0] = (byte) (payload.length >> 16);
    frame[1] = (byte) (payload.length >> 8);
    frame[2] = (byte) payload.length;
    frame[3] = (byte) type;
    frame[4] = (byte) flags;
    frame[5] = (byte) (stream >> 24);
    frame[6] = (byte) (stream >> 16);
    frame[7] = (byte) (stream >> 8);
    frame[8] = (byte) stream;
    System.arraycopy(payload, 0, frame, 9, payload.length);
    out.write(frame);
  }

  /** Opens a call; the headers are literals that do not enter the dynamic table. */
  public void headers(int stream, String timeout) throws IOException {
    headers(stream, timeout, 0);
  }

  /** Opens a call with {@code more} bytes of extra metadata, split into frames as needed. */
  public void headers(int stream, String timeout, int more) throws IOException {
    var headers = new ByteArrayOutputStream();
    literal(headers, ":method", "POST");
    literal(headers, ":scheme", "http");
    literal(headers, ":path", path);
    literal(headers, ":authority", "localhost");
    literal(headers, "content-type", "application/grpc");
    literal(headers, "te", "trailers");
    literal(headers, "grpc-timeout", timeout);
    if (more > 0) {
      literal(headers, "x-large", "x".repeat(more));
    }
    byte[] block = headers.toByteArray();
    for (int from = 0; from < block.length; from += FRAME_BYTES) {
      int to = Math.min(block.length, from + FRAME_BYTES);
      boolean last = to == block.length;
      frame(from == 0 ? 1 : 9, last ? 4 : 0, stream, Arrays.copyOfRange(block, from, to));
    }
  }

  /** Sends the only message of a call. */
  public void message(int stream, byte[] message) throws IOException {
    byte[] payload = new byte[5 + message.length];
    payload[3] = (byte) (message.length >> 8);
    payload[4] = (byte) message.length;
    System.arraycopy(message, 0, payload, 5, message.length);
    frame(0, 1, stream, payload);
  }

  /** Sends a ping. */
  public void ping() throws IOException {
    frame(6, 0, 0, "heatshld".getBytes(StandardCharsets.US_ASCII));
  }

  /** Begins a call and resets it; returns false once the server has closed. */
  public boolean tryReset(int stream) {
    try {
      headers(stream, "1H");
      frame(3, 0, stream, new byte[] {0, 0, 0, 8});
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Waits for the reply to a ping. */
  public void awaitPong() throws IOException {
    assertThat(readsUntil(6)).isTrue();
  }

  /** Reads frames until one of a type; returns false if the stream ends first. */
  public boolean readsUntil(int type) {
    try {
      while (true) {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int kind = in.readUnsignedByte();
        in.skipNBytes(5);
        in.skipNBytes(length);
        if (kind == type) {
          return true;
        }
      }
    } catch (IOException e) {
      return false;
    }
  }

  private static void literal(ByteArrayOutputStream out, String name, String value) {
    out.write(0);
    out.write(name.length());
    out.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
    int length = value.length();
    if (length < 127) {
      out.write(length);
    } else {
      out.write(127);
      for (length -= 127; length >= 128; length >>= 7) {
        out.write((length & 127) | 128);
      }
      out.write(length);
    }
    out.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
