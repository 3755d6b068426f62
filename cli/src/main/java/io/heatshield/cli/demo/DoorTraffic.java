package io.heatshield.cli.demo;

import java.io.IOException;

/**
 * Carries touches through the data door as two programs would: a reader of every key, and a writer
 * of one in ten.
 *
 * <p>For one thread.
 */
public final class DoorTraffic implements TouchSink, AutoCloseable {
  private static final int READS_PER_WRITE = 10;
  private static final byte[] GET = DoorClient.bytes("GET");
  private static final byte[] SET = DoorClient.bytes("SET");
  private static final byte[] VALUE = DoorClient.bytes("a value of the demo");

  private final DoorClient reader;
  private final DoorClient writer;
  private int touches;

  private DoorTraffic(DoorClient reader, DoorClient writer) {
    this.reader = reader;
    this.writer = writer;
  }

  /** Connects to the data door on a port of this machine. */
  public static DoorTraffic open(int port) throws IOException {
    return new DoorTraffic(new DoorClient(port, "shop"), new DoorClient(port, "importer"));
  }

  @Override
  public void touch(String scope, byte[] key) {
    if (++touches % READS_PER_WRITE == 0) {
      writer.add(SET, key, VALUE);
    } else {
      reader.add(GET, key);
    }
  }

  /** Sends what was touched. */
  public void flush() {
    reader.flush();
    writer.flush();
  }

  @Override
  public void close() throws IOException {
    try (reader;
        writer) {
      touches = 0;
    }
  }
}
