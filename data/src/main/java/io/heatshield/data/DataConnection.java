package io.heatshield.data;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Dispatcher;
import io.heatshield.data.command.session.Peer;
import io.heatshield.data.command.session.Session;
import io.heatshield.resp.ProtocolException;
import io.heatshield.resp.Reply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One client's connection: reads its commands, runs them one after the other, and answers. */
// What became of a write or a close is told by the channel itself, in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
final class DataConnection extends DoorConnection implements Peer {
  /*
   * Everything here runs on the connection's event loop, but for push and sweep.
   *
   * A command runs when the one before it was answered. The answers of one read are collected in
   * one buffer and flushed when the read is over, or when the buffer is large. Nothing is run while
   * the client owes more than its cap (the channel is not writable) or while an answer is awaited
   * (busy); then, and when it has sent more than a piece ahead, the socket is not read either, so
   * TCP holds the client back. A client that has shut its side is closed when nothing is left to
   * run. What is kept of a client is what it sent ahead, the words of one command, and what it owes.
   */
  private static final int PIECE = 64 << 10;
  private static final int FIRST_ROOM = 512;

  /** One of this many commands is timed, and stands for all of them; a power of two. */
  private static final int TIMED_OF = 8;

  private final DataDoor.Inside door;
  private final Ahead parser;
  private final Dispatcher dispatcher;
  private ChannelHandlerContext ctx;
  private Session session;
  private ByteBuf in = Unpooled.EMPTY_BUFFER;
  private @Nullable ByteBuf out;
  private boolean busy;
  private boolean running;
  private boolean ending;
  private int answered;
  private int failed;
  private int clamped;
  private int ran;

  // Netty calls handlerAdded, which sets context and session, before any other method.
  @SuppressWarnings("NullAway.Init")
  DataConnection(DataDoor.Inside door) {
    this.door = door;
    this.parser = new Ahead(door.limits().unknown(), door.dispatcher());
    this.dispatcher = door.dispatcher();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    ctx = context;
    session = door.newSession(this, context.channel());
    session.user(door.realm().users().unauthenticated());
    door.realm().clients().add(session);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf data = (ByteBuf) message;
    if (ending) {
      data.release();
      return;
    }
    in = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), in, data);
    run();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    finishRound();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (context.channel().isWritable() && !running) {
      run();
      finishRound();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ending = true;
    session.settle();
    door.realm().clients().remove(session);
    door.realm().channel().leave(session);
    hold(0);
    in.release();
    in = Unpooled.EMPTY_BUFFER;
    if (out != null) {
      out.release();
      out = null;
    }
  }

  @Override
  public void push(Reply message) {
    ctx.executor()
        .execute(
            () -> {
              if (ending) {
                return;
              }
              ByteBuf buffer = ctx.alloc().ioBuffer(FIRST_ROOM);
              message.write(buffer, session.isResp3());
              ctx.writeAndFlush(buffer);
              if (!ctx.channel().isWritable()) {
                door.counters().slowReader();
                ctx.close();
              }
            });
  }

  @Override
  public void closeAfterReply() {
    ending = true;
  }

  @Override
  public void authenticated(boolean yes) {
    parser.limits(yes ? door.limits().known() : door.limits().unknown());
  }

  @Override
  public void later(long millis, Runnable task) {
    if (millis == 0) {
      ctx.executor().execute(task);
    } else {
      ctx.executor().schedule(task, millis, TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public void drain() {
    if (!busy) {
      end();
    }
    ending = true;
  }

  @Override
  protected void onInputEnd() {
    if (!ending) {
      run();
      finishRound();
    }
  }

  @Override
  public void sweep(long nowNanos) {
    boolean idle =
        !session.isSubscribed()
            && nowNanos - session.seenNanos() > door.limits().idleTimeout().toNanos();
    if (idle || isDribbling(door.limits(), nowNanos)) {
      door.counters().timeout();
      ctx.close();
      return;
    }
    if (isStalled(ctx.channel(), door.limits(), nowNanos)) {
      door.counters().slowReader();
      ctx.close();
    }
  }

  /** Runs what has arrived, as far as that is possible now. */
  private void run() {
    running = true;
    try {
      while (!busy && !ending && ctx.channel().isWritable() && parser.read(in, session)) {
        Call call = parser.take();
        if (call.isUnknown() && Dispatcher.isForeign(call.word(0))) {
          door.strangers()
              .warn(
                  "possible cross-protocol attack on the data door, connection from "
                      + session.address()
                      + " closed");
          door.counters().protocolError();
          ending = true;
          ctx.close();
          return;
        }
        boolean timed = (ran++ & (TIMED_OF - 1)) == 0;
        long start = timed ? System.nanoTime() : 0;
        CompletableFuture<Reply> answer = dispatcher.execute(call);
        if (timed) {
          answer.whenComplete((reply, thrown) -> took(start));
        }
        if (answer.isDone()) {
          write(answer.join());
        } else {
          busy = true;
          answer.whenComplete(
              (reply, thrown) ->
                  ctx.executor()
                      .execute(
                          () -> resume(reply == null ? Reply.error("ERR internal error") : reply)));
        }
      }
    } catch (ProtocolException e) {
      door.counters().protocolError();
      write(Reply.error("ERR Protocol error: " + e.getMessage()));
      ending = true;
    } finally {
      running = false;
    }
  }

  private void took(long startNanos) {
    door.counters().answers().record(System.nanoTime() - startNanos, TIMED_OF);
  }

  private void resume(Reply reply) {
    busy = false;
    if (ctx.channel().isActive()) {
      write(reply);
      run();
      finishRound();
    }
  }

  private void write(Reply reply) {
    ByteBuf buffer = out;
    if (buffer == null) {
      buffer = ctx.alloc().ioBuffer(FIRST_ROOM);
      out = buffer;
    }
    int before = buffer.readableBytes();
    reply.write(buffer, session.isResp3());
    boolean error = reply.isError();
    boolean refused = error && reply.isError("THROTTLED ");
    session.answered(buffer.readableBytes() - before, refused);
    answered++;
    failed += error ? 1 : 0;
    clamped += refused ? 1 : 0;
    if (buffer.readableBytes() >= PIECE) {
      flush();
    }
  }

  private void flush() {
    session.settle();
    ByteBuf buffer = out;
    if (buffer != null) {
      out = null;
      ctx.writeAndFlush(buffer);
    }
  }

  /** Sends what was answered, and notes what is left over. */
  private void finishRound() {
    if (answered > 0) {
      // What has come in part is another command now.
      partial(false, door.realm().ticker());
    }
    flush();
    if (answered > 0) {
      door.counters().answered(answered, failed, clamped, parser.found());
      answered = 0;
      failed = 0;
      clamped = 0;
    }
    boolean idle = !busy && ctx.channel().isWritable();
    if (ending || (idle && isInputEnded())) {
      if (!busy) {
        end();
      }
      return;
    }
    partial(idle && (in.isReadable() || parser.isWithin()), door.realm().ticker());
    if (!in.isReadable()) {
      in.release();
      in = Unpooled.EMPTY_BUFFER;
    }
    hold(in.capacity() + parser.held() + owed());
    boolean ahead = in.readableBytes() > PIECE && (busy || !ctx.channel().isWritable());
    boolean wanted = ctx.channel().isWritable() && !ahead;
    if (ctx.channel().config().isAutoRead() != wanted) {
      ctx.channel().config().setAutoRead(wanted);
    }
  }

  private long owed() {
    ChannelOutboundBuffer buffer = ctx.channel().unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes();
  }

  private void hold(long bytes) {
    hold(ctx, bytes, door.held(), door.limits(), door.counters());
  }

  private void end() {
    ending = true;
    flush();
    linger(ctx, door.limits());
  }
}
