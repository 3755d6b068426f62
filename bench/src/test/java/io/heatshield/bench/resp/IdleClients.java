package io.heatshield.bench.resp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;

/** Clients that send PING once and are then idle, until this process ends. */
public final class IdleClients {
  private IdleClients() {}

  /** Connects, prints {@code ready} and waits; called as {@code IdleClients PORT CONNECTIONS}. */
  public static void main(String[] args) throws IOException {
    var address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
    var open = new ArrayList<SocketChannel>();
    ByteBuffer answer = ByteBuffer.allocate(64);
    for (int i = 0; i < Integer.parseInt(args[1]); i++) {
      SocketChannel client = SocketChannel.open(address);
      client.write(ByteBuffer.wrap("PING\r\n".getBytes(StandardCharsets.US_ASCII)));
      client.read(answer.clear());
      open.add(client);
    }
    System.out.println("ready");
    int end = System.in.read();
    for (SocketChannel client : open) {
      client.close();
    }
    if (end >= 0) {
      throw new IOException("nothing was expected on the input");
    }
  }
}
