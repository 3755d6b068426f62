package io.heatshield.cli.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Carries touches through the data door as a shop would: some web servers read every key in turn,
 * and an importer writes one in ten.
 *
 * <p>For one thread.
 */
public final class DoorTraffic implements TouchSink, AutoCloseable {
  private static final int READS_PER_WRITE = 10;
  private static final int READERS = 7;
  private static final byte[] GET = DoorClient.bytes("GET");
  private static final byte[] SET = DoorClient.bytes("SET");
  private static final byte[] VALUE = DoorClient.bytes("a value of the demo");

  private final List<DoorClient> readers;
  private final DoorClient writer;
  private int touches;

  private DoorTraffic(List<DoorClient> readers, DoorClient writer) {
    this.readers = readers;
    this.writer = writer;
  }

  /** Connects to the data door on a port of this machine. */
  public static DoorTraffic open(int port) throws IOException {
    var readers = new ArrayList<DoorClient>();
    for (int i = 1; i <= READERS; i++) {
      readers.add(new DoorClient(port, "web-" + i));
    }
    return new DoorTraffic(List.copyOf(readers), new DoorClient(port, "importer"));
  }

  @Override
  public void touch(String scope, byte[] key) {
    if (++touches % READS_PER_WRITE == 0) {
      writer.add(SET, key, VALUE);
    } else {
      readers.get(touches % READERS).add(GET, key);
    }
  }

  /** Sends what was touched. */
  public void flush() {
    readers.forEach(DoorClient::flush);
    writer.flush();
  }

  @Override
  public void close() throws IOException {
    for (DoorClient reader : readers) {
      reader.close();
    }
    writer.close();
  }
}
