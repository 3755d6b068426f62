package io.heatshield.server.shield;

import io.heatshield.resp.ProtocolException;
import io.heatshield.resp.RequestScanner;
import io.heatshield.server.data.DataLimits;
import io.heatshield.server.data.DoorConnection;
import io.heatshield.server.net.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client of the shield, with the connection to the upstream that it has for itself.
 *
 * <p>What the client sends is handed on as it is, command by command in its order; {@link
 * CommandGate} says which commands are answered here instead.
 */
// What became of a write or a close is told by the channel itself, in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
final class ShieldConnection extends DoorConnection implements UpstreamLink.Listener {
  /*
   * Everything here runs on the client's event loop, on which its connection to the upstream lives too, but for sweep.
   *
   * in[sent, readerIndex) was read and is to be handed on; the scanner looks at what follows the reader index. A command
   * that needs the upstream while there is no connection stays where it is until there is one.
   *
   * The client is not read while it owes (its channel is not writable), while the upstream does not take more, while a
   * connection is being made, and while MAX_WAITING answers are due; the upstream is not read while the client owes. So
   * what is held of a client is one read, the words of one command, and the two channels' marks.
   */
  private static final Logger log = LoggerFactory.getLogger(ShieldConnection.class);
  private static final int MAX_WAITING = 10_000;
  private static final long SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final String LOST =
      "UNAVAILABLE the connection to the upstream was lost, the command may have been executed";
  private static final String SILENT =
      "UNAVAILABLE the upstream did not answer in time, the command may have been executed";
  private static final byte[] UNREACHED =
      Answers.line("UNAVAILABLE the upstream cannot be reached, nothing was executed");

  private final Shield shield;
  private final Transport transport;
  private final DataLimits limits;
  private final AtomicLong allHeld;
  private final RequestScanner scanner = new RequestScanner();
  private final ClientState state;
  private ChannelHandlerContext ctx;
  private Answers answers;
  private CommandGate gate;
  private ByteBuf in = Unpooled.EMPTY_BUFFER;
  private int sent;
  private @Nullable UpstreamLink link;
  private boolean connecting;
  private boolean running;
  private boolean unreached;
  private boolean ending;
  private boolean draining;

  // Netty calls handlerAdded, which sets context, answers and gate, before any other method.
  @SuppressWarnings("NullAway.Init")
  ShieldConnection(Shield shield, Transport transport, DataLimits limits, AtomicLong allHeld) {
    this.shield = shield;
    this.transport = transport;
    this.limits = limits;
    this.allHeld = allHeld;
    this.state = new ClientState(shield.hotReads());
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    ctx = context;
    answers = new Answers(shield, state, context);
    String address =
        context.channel().remoteAddress() instanceof InetSocketAddress inet
            ? Transport.text(inet)
            : String.valueOf(context.channel().remoteAddress());
    gate = new CommandGate(shield, state, answers, shield.caller(address));
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
    writable();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ending = true;
    answers.release();
    in.release();
    in = Unpooled.EMPTY_BUFFER;
    hold(0);
    UpstreamLink present = link;
    link = null;
    if (present != null) {
      present.close();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (!(cause instanceof IOException)) {
      log.error("a connection of the shield failed", cause);
    }
    context.close();
  }

  @Override
  public void drain() {
    draining = true;
    if (answers.isQuiet() || answers.silentSinceNanos() == 0) {
      end();
    }
  }

  @Override
  public void sweep(long nowNanos) {
    ctx.executor().execute(() -> sweepHere(nowNanos));
  }

  @Override
  public void came(UpstreamLink from, ByteBuf bytes) {
    try {
      if (from == link && !ending) {
        answers.take(from, bytes);
      }
    } catch (ProtocolException e) {
      log.warn("the upstream does not speak the protocol: {}", e.getMessage());
      from.close();
    } finally {
      bytes.release();
    }
  }

  @Override
  public void cameAll(UpstreamLink from) {
    answers.flush();
    if (!ending && in.isReadable()) {
      run();
    }
    finishRound();
  }

  @Override
  public void writable() {
    if (!running && !ending) {
      run();
      finishRound();
    }
  }

  @Override
  public void lost(UpstreamLink gone) {
    if (gone != link || ending) {
      return;
    }
    link = null;
    boolean cut = gone.replies.isWithin() || answers.isStreaming() || answers.isFarewell();
    if (!cut) {
      answers.fail(LOST);
    }
    end();
  }

  private void run() {
    running = true;
    sent = in.readerIndex();
    try {
      while (mayRun()) {
        boolean whole = scanner.read(in);
        if (whole ? !command() : in.readableBytes() <= RequestScanner.PIECE || !passOn()) {
          break;
        }
      }
    } catch (ProtocolException e) {
      shield.counters().protocolError();
      handOn();
      answers.local(Answers.line("ERR Protocol error: " + e.getMessage()), true);
      draining = true;
    } finally {
      running = false;
    }
    handOn();
    if (link != null) {
      link.flush();
    }
  }

  private boolean mayRun() {
    return !ending
        && !draining
        && !connecting
        && in.isReadable()
        && ctx.channel().isWritable()
        && answers.size() < MAX_WAITING
        && (link == null || link.isWritable());
  }

  /** Deals with the command that is whole; returns false if it must wait for a connection. */
  private boolean command() {
    int size = scanner.size();
    if (scanner.count() == 0) {
      skip(size);
    } else if (unreached) {
      unreached = false;
      answers.local(UNREACHED, true);
      skip(size);
    } else if (gate.answers(scanner)) {
      skip(size);
    } else if (isReachable()) {
      Pending pending = gate.pass(scanner);
      pending.link = link;
      in.skipBytes(size);
      if (!gate.wasStreaming()) {
        answers.expect(pending);
        askOwn(pending);
      }
    } else if (connecting) {
      return false;
    } else {
      byte[] kept = gate.last();
      answers.local(kept == null ? UNREACHED : kept, kept == null);
      skip(size);
    }
    gate.next();
    scanner.next();
    return true;
  }

  /** Hands on what has come of a long command; returns false if nothing can be done now. */
  private boolean passOn() {
    if (!unreached && !isReachable()) {
      if (connecting) {
        return false;
      }
      unreached = true;
    }
    int bytes = scanner.pass(in);
    if (unreached) {
      skip(bytes);
    } else {
      in.skipBytes(bytes);
    }
    return bytes > 0;
  }

  /** Asks for the end of a key whose value is to be kept. */
  private void askOwn(Pending pending) {
    HotReads.Flight flight = pending.flight;
    HeldKey key = pending.key;
    if (flight == null || key == null || !flight.isTimed() || link == null) {
      return;
    }
    handOn();
    link.write(Unpooled.wrappedBuffer(CommandGate.ttlOf(key.bytes())));
    var own = new Pending();
    own.own = true;
    own.flight = flight;
    own.link = link;
    answers.expect(own);
  }

  /** Leaves out what is not for the upstream. */
  private void skip(int bytes) {
    handOn();
    in.skipBytes(bytes);
    sent = in.readerIndex();
  }

  private void handOn() {
    int bytes = in.readerIndex() - sent;
    if (bytes > 0 && link != null) {
      link.write(in.retainedSlice(sent, bytes));
    }
    sent = in.readerIndex();
  }

  /** Returns whether there is a connection; begins to make one if that is worth it. */
  private boolean isReachable() {
    if (link != null) {
      return true;
    }
    if (!connecting && !shield.upstream().isDown()) {
      connecting = true;
      shield.upstream().connect(ctx.channel().eventLoop(), transport, this::connected);
    }
    return false;
  }

  private void connected(@Nullable Channel channel) {
    connecting = false;
    if (ending || !ctx.channel().isActive()) {
      if (channel != null) {
        channel.close();
      }
      return;
    }
    if (channel != null) {
      channel.config().setWriteBufferWaterMark(ctx.channel().config().getWriteBufferWaterMark());
      link = new UpstreamLink(channel, this);
    }
    run();
    finishRound();
  }

  private void finishRound() {
    answers.flush();
    if (ending) {
      return;
    }
    if (draining && answers.isQuiet()) {
      end();
      return;
    }
    if (!in.isReadable() && in.capacity() > 0) {
      in.release();
      in = Unpooled.EMPTY_BUFFER;
    }
    hold(in.capacity());
    boolean takes = ctx.channel().isWritable();
    boolean wanted =
        takes
            && !draining
            && !connecting
            && answers.size() < MAX_WAITING
            && (link == null || link.isWritable());
    if (ctx.channel().config().isAutoRead() != wanted) {
      ctx.channel().config().setAutoRead(wanted);
    }
    if (link != null) {
      link.reading(takes);
    }
  }

  private void hold(long bytes) {
    if (isPastBudget(bytes, allHeld, limits)) {
      shield.counters().pastBudget();
      ctx.close();
    }
  }

  private void sweepHere(long nowNanos) {
    if (ending) {
      return;
    }
    long silent = answers.silentSinceNanos();
    long most = shield.settings().timeout().toNanos() - SWEEP_NANOS;
    boolean takes = ctx.channel().isWritable();
    if (silent != 0 && takes && nowNanos - silent > most) {
      UpstreamLink present = link;
      link = null;
      boolean cut = present != null && present.replies.isWithin();
      if (present != null) {
        present.close();
      }
      shield.upstream().silent();
      if (!cut) {
        answers.fail(SILENT);
      }
      end();
      return;
    }
    if (isStalled(ctx.channel(), limits, nowNanos)) {
      shield.counters().slowReader();
      ctx.close();
    }
  }

  private void end() {
    ending = true;
    answers.flush();
    linger(ctx, limits);
  }
}
