package io.heatshield.shield;

import io.heatshield.data.DataLimits;
import io.heatshield.data.PortConnection;
import io.heatshield.resp.ProtocolException;
import io.heatshield.runtime.net.Transport;
import io.heatshield.shield.reply.OneNodeCluster;
import io.heatshield.shield.upstream.UpstreamConnection;
import io.heatshield.shield.upstream.UpstreamServer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The channel handler of one client of the shield. It decides when the client and the servers are
 * read, and when the client is closed.
 *
 * <p>The {@link CommandReader} handles what the client sends, the {@link ReplyForwarder} what the
 * servers send.
 */
// The result of a write or a close is handled in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
final class ShieldConnection extends PortConnection implements UpstreamConnection.Listener {
  /*
   * Everything runs on the client's event loop, which its connections to servers use too, except
   * for sweep.
   *
   * The client is not read while its channel is not writable, while a server accepts no more bytes,
   * while a connection is being made, and while MAX_PENDING replies are due. The servers are not
   * read while the client's channel is not writable. So the memory of a client is bounded by one
   * read, the words of one command, and the channels' water marks; for a client of a cluster also
   * by the commands that may have to be sent again, up to MAX_REQUEST_BYTES, and gathered replies.
   */
  private static final Logger log = LoggerFactory.getLogger(ShieldConnection.class);
  private static final String LOST =
      "UNAVAILABLE the connection to the upstream was lost, the command may have been executed";
  private static final int MAX_PENDING = 10_000;
  private static final int MAX_REQUEST_BYTES = 1 << 20;
  private static final long SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Shield shield;
  private final Transport transport;
  private final DataLimits limits;
  private final AtomicLong allHeld;
  private final RequestBuffer in = new RequestBuffer();
  private ChannelHandlerContext ctx;
  private ReplyQueue replies;
  private ReplyForwarder forwarder;
  private CommandGate gate;
  private ClientConnections connections;
  private CommandRouter router;
  private CommandReader commands;
  private boolean running;
  private boolean ending;

  // Netty calls handlerAdded, which sets the other fields, before any other method.
  @SuppressWarnings("NullAway.Init")
  ShieldConnection(Shield shield, Transport transport, DataLimits limits, AtomicLong allHeld) {
    this.shield = shield;
    this.transport = transport;
    this.limits = limits;
    this.allHeld = allHeld;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    ctx = context;
    var caller = shield.caller(context.channel().remoteAddress());
    HotReplies memory = shield.protection().hotReplies();
    var session = new ClientSession(memory, shield.upstream(), caller);
    var writer = new ReplyWriter(context);
    replies = new ReplyQueue(shield, session, writer);
    gate = new CommandGate(shield, session, replies, caller);
    var sender = new CommandSender(in, gate, session, replies);
    connections = new ClientConnections(shield.upstream(), replies, sender, this::connect);
    boolean cluster = shield.upstream().isCluster();
    router =
        cluster
            ? new ClusterRouter(
                connections, session, replies, gate, sender, OneNodeCluster.of(context.channel()))
            : new SingleServerRouter(connections, sender, replies);
    commands = new CommandReader(in, gate, router, connections, replies, shield.counters());
    forwarder =
        new ReplyForwarder(memory, replies, writer, context.alloc(), cluster ? connections : null);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf data = (ByteBuf) message;
    if (ending) {
      data.release();
      return;
    }
    in.add(ctx.alloc(), data);
    run();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    finishRound();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    onWritable();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ending = true;
    gate.next();
    replies.release();
    forwarder.release();
    in.use(null);
    in.release();
    hold(ctx, 0, allHeld, limits, shield.counters());
    connections.close();
  }

  @Override
  public void drain() {
    commands.end();
    if (replies.isQuiet() || replies.silentSinceNanos() == 0) {
      end();
    }
  }

  @Override
  protected void onInputEnd() {
    onWritable();
  }

  @Override
  public void sweep(long nowNanos) {
    ctx.executor().execute(() -> sweepHere(nowNanos));
  }

  @Override
  public void onBytes(UpstreamConnection from, ByteBuf bytes) {
    try {
      if (from.closeReason() == null && !ending) {
        forwarder.onBytes(from, bytes);
        drainReplies();
      }
    } catch (ProtocolException e) {
      log.warn("invalid reply from {}: {}", from.server().url(), e.getMessage());
      from.close();
      end();
    } finally {
      bytes.release();
    }
  }

  @Override
  public void onReadComplete() {
    replies.flush();
    if (!ending && in.bytes().isReadable()) {
      run();
    }
    finishRound();
  }

  @Override
  public void onWritable() {
    if (!running && !ending) {
      resume();
    }
  }

  @Override
  public void onClosed(UpstreamConnection connection) {
    if (!ending) {
      boolean expected = isInputEnded() && openReply() != null;
      afterLoss(!expected && router.onLost(connection, LOST));
    }
  }

  private void connect(UpstreamServer server, Consumer<@Nullable UpstreamConnection> then) {
    UpstreamConnection.open(
        server,
        ctx.channel(),
        transport,
        this,
        made -> {
          if (!ending) {
            then.accept(made);
            resume();
          } else if (made != null) {
            made.close();
          }
        });
  }

  private void resume() {
    try {
      drainReplies();
    } catch (ProtocolException e) {
      end();
    }
    if (!ending) {
      run();
      finishRound();
    }
  }

  private void run() {
    running = true;
    try {
      boolean progress = true;
      while (progress
          && !ending
          && in.bytes().isReadable()
          && ctx.channel().isWritable()
          && mayRead()) {
        progress = commands.readNext();
        if (progress && !commands.isWithinCommand()) {
          partial(false, shield.ticker());
        }
      }
    } finally {
      running = false;
    }
    in.write();
    connections.flush();
  }

  private boolean mayRead() {
    return !commands.isEnded()
        && !connections.isConnecting()
        && replies.size() < MAX_PENDING
        && replies.requestBytes() < MAX_REQUEST_BYTES
        && connections.isWritable();
  }

  private void finishRound() {
    replies.flush();
    if (ending) {
      return;
    }
    boolean writable = ctx.channel().isWritable();
    boolean wanted = writable && mayRead();
    if (replies.isQuiet() && (commands.isEnded() || (wanted && isInputEnded()))) {
      end();
      return;
    }
    UpstreamConnection open = wanted && isInputEnded() ? openReply() : null;
    if (open != null) {
      // As it would for the client itself, the server replies to what it can now, and closes.
      open.shutdownOutput(shield.settings().timeout());
    }
    boolean partial = wanted && (in.bytes().isReadable() || commands.isWithinCommand());
    partial(partial, shield.ticker());
    hold(ctx, in.trim() + replies.heldBytes(), allHeld, limits, shield.counters());
    if (ctx.channel().config().isAutoRead() != wanted) {
      ctx.channel().config().setAutoRead(wanted);
    }
    connections.setReading(writable);
  }

  /** Returns the connection of the next reply if that may take any time, or null. */
  private @Nullable UpstreamConnection openReply() {
    return replies.silentSinceNanos() == 0 ? replies.awaited() : null;
  }

  private void sweepHere(long nowNanos) {
    if (ending) {
      return;
    }
    long silentSince = replies.silentSinceNanos();
    long most = shield.settings().timeout().toNanos() - SWEEP_NANOS;
    UpstreamConnection awaited = replies.awaited();
    boolean overdue = silentSince != 0 && nowNanos - silentSince > most;
    if (awaited != null && overdue && !awaited.server().isBusy() && ctx.channel().isWritable()) {
      awaited.server().onTimeout(silentSince);
      boolean open = router.onLost(awaited, awaited.server().unansweredSince(silentSince));
      awaited.close();
      afterLoss(open);
    } else if (isDribbling(limits, nowNanos)) {
      shield.counters().timeout();
      ctx.close();
    } else if (isStalled(ctx.channel(), limits, nowNanos)) {
      shield.counters().slowReader();
      ctx.close();
    }
  }

  private void afterLoss(boolean open) {
    in.use(null);
    if (open) {
      resume();
    } else {
      end();
    }
  }

  private void drainReplies() throws ProtocolException {
    if (!forwarder.drain()) {
      end();
    }
  }

  private void end() {
    ending = true;
    replies.flush();
    linger(ctx, limits);
  }
}
