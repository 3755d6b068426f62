package io.heatshield.data;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Dispatcher;
import io.heatshield.data.command.Replies;
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

/** The connection of one client: reads commands, executes them one by one, and replies. */
// The result of a write or a close is handled in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
final class DataConnection extends PortConnection implements Peer {
  /*
   * Everything runs on the connection's event loop, except push and sweep.
   *
   * A command is executed when the one before it has been answered. The replies of one read are
   * collected in one buffer, which is flushed at the end of the read or when it is large. No
   * command is executed while the client has too many unread replies (the channel is not writable)
   * or while a reply is pending (busy). If it has then sent more than MAX_AHEAD bytes, the socket
   * is not read either, so that TCP slows the client down. A client that has shut down its output
   * is closed when all its commands are answered.
   */
  private static final int MAX_AHEAD = 64 << 10;
  private static final int BUFFER_BYTES = 512;

  /** One command in this number is timed; a power of two. */
  private static final int TIMED_EVERY = 8;

  private final RespPort.Shared port;
  private final PipelineReader reader;
  private ChannelHandlerContext ctx;
  private Session session;
  private ByteBuf in = Unpooled.EMPTY_BUFFER;
  private @Nullable ByteBuf out;
  private boolean busy;
  private boolean running;
  private boolean ending;
  private int answered;
  private int failed;
  private int throttled;
  private int executed;

  // Netty calls handlerAdded, which sets context and session, before any other method.
  @SuppressWarnings("NullAway.Init")
  DataConnection(RespPort.Shared port) {
    this.port = port;
    this.reader = new PipelineReader(port.limits().unknown(), port.dispatcher());
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    ctx = context;
    session = port.newSession(this, context.channel());
    session.user(port.server().users().unauthenticated());
    port.server().clients().add(session);
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
    port.server().clients().remove(session);
    port.server().channel().leave(session);
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
              ByteBuf buffer = ctx.alloc().ioBuffer(BUFFER_BYTES);
              message.write(buffer, session.isResp3());
              ctx.writeAndFlush(buffer);
              if (!ctx.channel().isWritable()) {
                port.counters().slowReader();
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
    reader.limits(yes ? port.limits().known() : port.limits().unknown());
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
            && nowNanos - session.seenNanos() > port.limits().idleTimeout().toNanos();
    if (idle || isDribbling(port.limits(), nowNanos)) {
      port.counters().timeout();
      ctx.close();
      return;
    }
    if (isStalled(ctx.channel(), port.limits(), nowNanos)) {
      port.counters().slowReader();
      ctx.close();
    }
  }

  /** Executes the commands that have arrived, until one has to wait. */
  private void run() {
    running = true;
    try {
      while (!busy && !ending && ctx.channel().isWritable()) {
        Call call = reader.read(in, session);
        if (call == null) {
          return;
        }
        if (call.isUnknown() && Dispatcher.isHttp(call)) {
          port.warnings()
              .warn(
                  "possible cross-protocol attack on the RESP port: closed connection from "
                      + session.address());
          port.counters().protocolError();
          ending = true;
          ctx.close();
          return;
        }
        execute(call);
      }
    } catch (ProtocolException e) {
      port.counters().protocolError();
      write(Reply.error("ERR Protocol error: " + e.getMessage()));
      ending = true;
    } finally {
      running = false;
    }
  }

  private void execute(Call call) {
    boolean timed = (executed++ & (TIMED_EVERY - 1)) == 0;
    long start = timed ? System.nanoTime() : 0;
    CompletableFuture<Reply> future = port.dispatcher().execute(call);
    if (timed) {
      future.whenComplete((reply, thrown) -> took(start));
    }
    if (future.isDone()) {
      write(future.join());
      return;
    }
    busy = true;
    future.whenComplete(
        (reply, thrown) ->
            ctx.executor().execute(() -> resume(reply == null ? Replies.failure(thrown) : reply)));
  }

  private void took(long startNanos) {
    port.counters().answers().record(System.nanoTime() - startNanos, TIMED_EVERY);
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
      buffer = ctx.alloc().ioBuffer(BUFFER_BYTES);
      out = buffer;
    }
    int before = buffer.readableBytes();
    reply.write(buffer, session.isResp3());
    boolean error = reply.isError();
    boolean refused = error && reply.isError("THROTTLED ");
    session.answered(buffer.readableBytes() - before, refused);
    answered++;
    failed += error ? 1 : 0;
    throttled += refused ? 1 : 0;
    if (buffer.readableBytes() >= MAX_AHEAD) {
      flush();
    }
  }

  private void flush() {
    ByteBuf buffer = out;
    if (buffer != null) {
      out = null;
      ctx.writeAndFlush(buffer);
    }
  }

  /** Flushes the replies and updates the limits at the end of a read. */
  private void finishRound() {
    if (answered > 0) {
      // A command that has arrived in part is a new one.
      partial(false, port.server().ticker());
    }
    flush();
    if (answered > 0) {
      port.counters().answered(answered, failed, throttled);
      answered = 0;
      failed = 0;
      throttled = 0;
    }
    boolean idle = !busy && ctx.channel().isWritable();
    if (ending || (idle && isInputEnded())) {
      if (!busy) {
        end();
      }
      return;
    }
    partial(idle && (in.isReadable() || reader.isPartial()), port.server().ticker());
    if (!in.isReadable()) {
      in.release();
      in = Unpooled.EMPTY_BUFFER;
    }
    hold(in.capacity() + reader.heldBytes() + owed());
    boolean ahead = in.readableBytes() > MAX_AHEAD && (busy || !ctx.channel().isWritable());
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
    hold(ctx, bytes, port.held(), port.limits(), port.counters());
  }

  private void end() {
    ending = true;
    flush();
    linger(ctx, port.limits());
  }
}
