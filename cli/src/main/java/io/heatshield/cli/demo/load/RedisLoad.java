package io.heatshield.cli.demo.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Sends requests through several Redis clients in rotation. */
public final class RedisLoad implements Load {
  private final List<LoadClient> clients;
  private final Supplier<byte[][]> requests;
  private int next;

  private RedisLoad(List<LoadClient> clients, Supplier<byte[][]> requests) {
    this.clients = clients;
    this.requests = requests;
  }

  /**
   * Connects the clients.
   *
   * @param name the name of each client, with a number appended if there are several
   * @param requests supplies the next request
   */
  public static RedisLoad connect(
      int port, String name, int clients, LoadMeter meter, Supplier<byte[][]> requests)
      throws IOException {
    var connected = new ArrayList<LoadClient>();
    for (int i = 1; i <= clients; i++) {
      connected.add(new LoadClient(port, clients == 1 ? name : name + "-" + i, meter));
    }
    return new RedisLoad(connected, requests);
  }

  @Override
  public void send(long dueNanos) {
    clients.get(next).send(requests.get(), dueNanos);
    next = (next + 1) % clients.size();
  }

  @Override
  public void flush() {
    clients.forEach(LoadClient::flush);
  }

  @Override
  public void close() {
    clients.forEach(LoadClient::close);
  }
}
