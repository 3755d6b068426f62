package io.heatshield.data;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Dispatcher;
import io.heatshield.data.command.session.Session;
import io.heatshield.resp.CommandParser;
import io.heatshield.resp.ProtocolException;
import io.heatshield.resp.RespLimits;
import io.heatshield.store.InlinePath;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Reads the commands of a pipeline in batches, and prefetches the keys of a batch from a store in
 * memory, so that the processor waits for main memory once and not once for each key.
 *
 * <p>Commands and errors are returned in the same order as if they were read one by one. A client
 * that has not authenticated is read one command at a time, because the next command may change its
 * limits. A batch has at most {@value #MAX_COMMANDS} commands, and is complete once it has {@value
 * #MAX_BYTES} bytes. For one thread.
 */
final class PipelineReader {
  static final int MAX_COMMANDS = 16;
  static final int MAX_BYTES = 64 << 10;

  private final CommandParser parser;
  private final Dispatcher dispatcher;
  private final Queue<Call> batch = new ArrayDeque<>();
  private long batchBytes;
  private int prefetched;
  private @Nullable ProtocolException error;

  PipelineReader(RespLimits limits, Dispatcher dispatcher) {
    this.parser = new CommandParser(limits);
    this.dispatcher = dispatcher;
  }

  void limits(RespLimits limits) {
    parser.limits(limits);
  }

  /** Returns the next command, or null if it has not arrived completely. */
  @Nullable Call read(ByteBuf in, Session session) throws ProtocolException {
    if (batch.isEmpty()) {
      if (error != null) {
        throw error;
      }
      readBatch(in, session);
    }
    return batch.poll();
  }

  /** Returns the bytes of the current batch and of a command that has arrived in part. */
  long heldBytes() {
    return parser.held() + (batch.isEmpty() ? 0 : batchBytes);
  }

  /** Returns whether a command has arrived in part. */
  boolean isPartial() {
    return parser.isWithin();
  }

  /** Returns the number of keys that a prefetch found. */
  int prefetched() {
    return prefetched;
  }

  private void readBatch(ByteBuf in, Session session) throws ProtocolException {
    batchBytes = 0;
    Call last = null;
    int max = session.user() == null ? 1 : MAX_COMMANDS;
    try {
      while (batch.size() < max && batchBytes < MAX_BYTES && parser.read(in)) {
        batchBytes += parser.held();
        Call call = dispatcher.call(session, parser.take());
        if (last != null) {
          call.follow(last);
        }
        batch.add(call);
        last = call;
      }
    } catch (ProtocolException e) {
      error = e;
      if (batch.isEmpty()) {
        throw e;
      }
    }
    InlinePath inline = session.store().store().inline().orElse(null);
    if (batch.size() > 1 && inline != null) {
      prefetch(inline, false);
      prefetch(inline, true);
    }
  }

  /** Prefetches the keys of reads or writes with a single key, if they have several keys. */
  private void prefetch(InlinePath inline, boolean write) {
    byte[][] keys = new byte[batch.size()][];
    long[] hashes = new long[batch.size()];
    int count = 0;
    for (Call call : batch) {
      byte[] key = call.key();
      if (key != null
          && call.command().isWrite() == write
          && (count == 0 || call.hash() != hashes[count - 1])) {
        keys[count] = key;
        hashes[count++] = call.hash();
      }
    }
    if (count > 1) {
      prefetched += inline.fetch(keys, hashes, count, write);
    }
  }
}
