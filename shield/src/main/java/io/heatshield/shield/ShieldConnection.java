package io.heatshield.shield;

import io.heatshield.data.DataLimits;
import io.heatshield.data.PortConnection;
import io.heatshield.data.command.hot.Caller;
import io.heatshield.resp.ProtocolException;
import io.heatshield.resp.RequestScanner;
import io.heatshield.runtime.net.Transport;
import io.heatshield.shield.ReplyEffects.OnReply;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client of the shield, with its own connections to the upstream.
 *
 * <p>Each command that the client sends is inspected by the {@link CommandGate}, which answers it
 * or leaves it to the {@link CommandRouter}, which forwards it as it is. {@link ReplyReader} and
 * {@link ReplyQueue} return the replies in order.
 */
// The result of a write or a close is handled in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
final class ShieldConnection extends PortConnection
    implements CommandRouter.Client, UpstreamConnection.Listener {
  /*
   * Everything here runs on the client's event loop, on which its connections to the upstream live
   * too, except for sweep.
   *
   * A command that needs a server while there is no connection stays in the request buffer until
   * there is one.
   *
   * The client is not read while its channel is not writable, while the upstream accepts no more
   * bytes, while a connection is being made, and while MAX_PENDING replies are due. The upstream is
   * not read while the client's channel is not writable. So what is held of a client is one read,
   * the words of one command, and the channels' water marks; of a client of a cluster also the
   * commands that may have to be sent again, up to MAX_REQUEST_BYTES, and gathered replies.
   */
  private static final Logger log = LoggerFactory.getLogger(ShieldConnection.class);
  private static final int MAX_PENDING = 10_000;
  private static final int MAX_REQUEST_BYTES = 1 << 20;
  private static final long SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Shield shield;
  private final Transport transport;
  private final DataLimits limits;
  private final AtomicLong allHeld;
  private final RequestScanner scanner = new RequestScanner();
  private final RequestBuffer in = new RequestBuffer();
  private final ClientSession session;
  private ChannelHandlerContext ctx;
  private ReplyQueue replies;
  private ReplyReader reader;
  private CommandGate gate;
  private CommandRouter router;

  /** The reply to a long command that is refused, while it arrives. */
  private byte @Nullable [] refusal;

  private boolean running;
  private boolean ending;
  private boolean draining;

  // Netty calls handlerAdded, which sets the other fields, before any other method.
  @SuppressWarnings("NullAway.Init")
  ShieldConnection(Shield shield, Transport transport, DataLimits limits, AtomicLong allHeld) {
    this.shield = shield;
    this.transport = transport;
    this.limits = limits;
    this.allHeld = allHeld;
    this.session = new ClientSession(shield.hotReplies(), shield.upstream());
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    ctx = context;
    var writer = new ReplyWriter(context);
    replies = new ReplyQueue(shield, session, writer);
    reader = new ReplyReader(shield.hotReplies(), replies, writer, context.alloc());
    Caller caller = shield.caller(context.channel().remoteAddress());
    gate = new CommandGate(shield, session, replies, caller);
    if (shield.upstream().isCluster()) {
      var connections = new ClusterConnections(shield.upstream(), replies, this);
      reader.redirector(connections);
      var node = OneNodeCluster.of(context.channel());
      router = new ClusterRouter(connections, session, replies, gate, this, node);
    } else {
      router = new SingleServerRouter(shield.upstream(), replies, this);
    }
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
    reader.release();
    in.use(null);
    in.release();
    hold(ctx, 0, allHeld, limits, shield.counters());
    router.close();
  }

  @Override
  public void drain() {
    draining = true;
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
        reader.onBytes(from, bytes);
        drainReplies();
      }
    } catch (ProtocolException e) {
      log.warn("the upstream does not speak the protocol: {}", e.getMessage());
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
      boolean over = isInputEnded() && openReply() != null;
      afterLoss(!over && router.onLost(connection));
    }
  }

  @Override
  public void connect(UpstreamServer server, Consumer<@Nullable UpstreamConnection> then) {
    UpstreamConnection.open(
        server,
        ctx.channel(),
        transport,
        this,
        made -> {
          if (!ending) {
            then.accept(made);
          } else if (made != null) {
            made.close();
          }
        });
  }

  @Override
  public void resume() {
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

  @Override
  public void use(UpstreamConnection next) {
    in.use(next);
  }

  @Override
  public ReplyEffects forward(
      RequestScanner words, UpstreamConnection over, boolean retryable, OnReply onReply) {
    in.use(over);
    byte[] request = retryable && !words.isPassed() ? copy(words) : null;
    boolean streaming = session.isStreaming();
    ReplyEffects effects = gate.send(words).andThen(onReply);
    in.take(words.size());
    if (streaming) {
      // The reply is not recognized among what the upstream sends.
      replies.apply(effects, true);
      return effects;
    }
    var sent = PendingReply.Sent.over(over, request);
    replies.add(
        effects.is(CommandKind.STREAM)
            ? new PendingReply.Stream(sent, effects)
            : new PendingReply.Forwarded(sent, effects));
    HotReplies.ReplyLoad load = effects.read().load();
    if (load != null && load.needsTtl()) {
      var ttl = new PendingReply.Internal(PendingReply.Sent.over(over, null), load);
      send(over, RespEncoder.command("PTTL", load.key()), ttl);
    }
    return effects;
  }

  @Override
  public ReplyEffects skip(RequestScanner words) {
    ReplyEffects effects = gate.send(words);
    in.skip(words.size());
    return effects;
  }

  @Override
  public void answer(RequestScanner words, byte[] reply, boolean error) {
    replies.apply(skip(words), !error);
    replies.addLocal(reply, error);
  }

  @Override
  public byte[] copy(RequestScanner words) {
    return in.copy(words.size());
  }

  @Override
  public void send(UpstreamConnection over, byte[] command, PendingReply reply) {
    in.write();
    over.write(command);
    replies.add(reply);
  }

  @Override
  public void closeAfterReplies() {
    draining = true;
  }

  private void run() {
    running = true;
    try {
      while (!ending && in.bytes().isReadable() && ctx.channel().isWritable() && mayRead()) {
        boolean complete = scanner.read(in.bytes());
        if (complete ? !handle() : !forwardPart()) {
          break;
        }
      }
    } catch (ProtocolException e) {
      shield.counters().protocolError();
      in.write();
      replies.addLocal(RespEncoder.error("ERR Protocol error: " + e.getMessage()), true);
      draining = true;
    } finally {
      running = false;
    }
    in.write();
    router.flush();
  }

  private boolean mayRead() {
    return !draining
        && !router.isConnecting()
        && replies.size() < MAX_PENDING
        && replies.requestBytes() < MAX_REQUEST_BYTES
        && router.isWritable();
  }

  /** Handles the command that is complete; returns false if it must wait. */
  private boolean handle() {
    if (scanner.count() == 0) {
      in.skip(scanner.size());
    } else if (refusal != null) {
      replies.addLocal(refusal, true);
      refusal = null;
      in.skip(scanner.size());
    } else if (gate.answer(scanner)) {
      in.skip(scanner.size());
    } else {
      CommandRouter.Step step = router.route(scanner);
      if (step == CommandRouter.Step.WAIT) {
        return false;
      }
      if (step != CommandRouter.Step.DONE) {
        byte[] kept = step == CommandRouter.Step.UNREACHED ? gate.lastReply() : null;
        replies.addLocal(kept == null ? router.refusal() : kept, kept == null);
        in.skip(scanner.size());
      }
    }
    gate.next();
    scanner.next();
    partial(false, shield.ticker());
    return true;
  }

  /** Forwards what has arrived of a long command; returns false if nothing can be done now. */
  private boolean forwardPart() {
    int arrived = in.bytes().readableBytes();
    if (arrived <= RequestScanner.PIECE) {
      return false;
    }
    if (refusal == null) {
      switch (router.begin(scanner, arrived)) {
        case DONE -> {}
        case WAIT -> {
          return false;
        }
        case UNREACHED, REFUSED -> refusal = router.refusal();
      }
    }
    int bytes = scanner.pass(in.bytes());
    if (refusal != null) {
      in.skip(bytes);
    } else {
      in.take(bytes);
    }
    return bytes > 0;
  }

  private void finishRound() {
    replies.flush();
    if (ending) {
      return;
    }
    boolean writable = ctx.channel().isWritable();
    boolean wanted = writable && mayRead();
    if (replies.isQuiet() && (draining || (wanted && isInputEnded()))) {
      end();
      return;
    }
    UpstreamConnection open = wanted && isInputEnded() ? openReply() : null;
    if (open != null) {
      // As for a client of its own, the upstream replies to what it can at once, and closes.
      open.shutdownOutput(shield.settings().timeout());
    }
    partial(wanted && (in.bytes().isReadable() || scanner.isPassed()), shield.ticker());
    hold(ctx, in.trim() + replies.heldBytes(), allHeld, limits, shield.counters());
    if (ctx.channel().config().isAutoRead() != wanted) {
      ctx.channel().config().setAutoRead(wanted);
    }
    router.setReading(writable);
  }

  /** Returns where the next reply is due if it may take any time, or null. */
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
    boolean busy = awaited != null && awaited.server.isBusy();
    boolean overdue = silentSince != 0 && !busy && nowNanos - silentSince > most;
    if (overdue && ctx.channel().isWritable()) {
      afterLoss(router.onTimeout());
    } else if (isDribbling(limits, nowNanos)) {
      shield.counters().timeout();
      ctx.close();
    } else if (isStalled(ctx.channel(), limits, nowNanos)) {
      shield.counters().slowReader();
      ctx.close();
    }
  }

  private void afterLoss(boolean goesOn) {
    in.use(null);
    if (goesOn) {
      resume();
    } else {
      end();
    }
  }

  private void drainReplies() throws ProtocolException {
    if (!reader.drain()) {
      end();
    }
  }

  private void end() {
    ending = true;
    replies.flush();
    linger(ctx, limits);
  }
}
