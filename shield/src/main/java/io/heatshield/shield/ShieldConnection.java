package io.heatshield.shield;

import io.heatshield.data.DataLimits;
import io.heatshield.data.DoorConnection;
import io.heatshield.data.command.hot.Caller;
import io.heatshield.resp.ProtocolException;
import io.heatshield.resp.RequestScanner;
import io.heatshield.runtime.net.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client of the shield, with the connections to the upstream that it has for itself.
 *
 * <p>What the client sends is handed on as it is, command by command in its order; {@link
 * CommandGate} says which commands are answered here instead, and {@link Route} where the others
 * go.
 */
// What became of a write or a close is told by the channel itself, in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
final class ShieldConnection extends DoorConnection implements ClientSide, UpstreamLink.Listener {
  /*
   * Everything here runs on the client's event loop, on which its connections to the upstream live too, but for sweep.
   *
   * A command that needs a server while there is no connection stays where it is, in the inbound bytes, until there is
   * one.
   *
   * The client is not read while it owes (its channel is not writable), while the upstream does not take more, while a
   * connection is being made, and while MAX_WAITING answers are due; the upstream is not read while the client owes. So
   * what is held of a client is one read, the words of one command, and the channels' marks; of a client of a cluster
   * also the commands that may have to be sent elsewhere, up to MAX_REQUEST_BYTES, and what is gathered.
   */
  private static final Logger log = LoggerFactory.getLogger(ShieldConnection.class);
  private static final int MAX_WAITING = 10_000;
  private static final int MAX_REQUEST_BYTES = 1 << 20;
  private static final long SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Shield shield;
  private final Transport transport;
  private final DataLimits limits;
  private final AtomicLong allHeld;
  private final RequestScanner scanner = new RequestScanner();
  private final ClientState state;
  private ChannelHandlerContext ctx;
  private Answers answers;
  private CommandGate gate;
  private Route route;
  private final Inbound in = new Inbound();
  private byte @Nullable [] refused;
  private boolean running;
  private boolean ending;
  private boolean draining;

  // Netty calls handlerAdded, which sets context, answers, gate and route, before any other method.
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
    Caller caller = shield.caller(context.channel().remoteAddress());
    gate = new CommandGate(shield, state, answers, caller);
    route =
        shield.upstreams().isCluster()
            ? new ClusterRoute(
                shield, state, answers, gate, this, OneNodeCluster.of(context.channel()))
            : new SingleRoute(shield, answers, this);
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
    writable();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ending = true;
    answers.release();
    in.use(null);
    in.release();
    hold(ctx, 0, allHeld, limits, shield.counters());
    route.close();
  }

  @Override
  public void drain() {
    draining = true;
    if (answers.isQuiet() || answers.silentSinceNanos() == 0) {
      end();
    }
  }

  @Override
  protected void onInputEnd() {
    writable();
  }

  @Override
  public void sweep(long nowNanos) {
    ctx.executor().execute(() -> sweepHere(nowNanos));
  }

  @Override
  public void came(UpstreamLink from, ByteBuf bytes) {
    try {
      if (from.epitaph() == null && !ending) {
        answers.came(from, bytes);
        goOn();
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
  public void cameAll(UpstreamLink from) {
    answers.flush();
    if (!ending && in.bytes().isReadable()) {
      run();
    }
    finishRound();
  }

  @Override
  public void writable() {
    if (!running && !ending) {
      resume();
    }
  }

  @Override
  public void lost(UpstreamLink gone) {
    if (!ending) {
      boolean over = isInputEnded() && openAnswer() != null;
      afterLoss(!over && route.lost(gone));
    }
  }

  @Override
  public void connect(Upstream server, Consumer<@Nullable UpstreamLink> then) {
    UpstreamLink.open(
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
      goOn();
    } catch (ProtocolException e) {
      end();
    }
    if (!ending) {
      run();
      finishRound();
    }
  }

  @Override
  public void use(UpstreamLink next) {
    in.use(next);
  }

  @Override
  public Pending relay(RequestScanner words, UpstreamLink over, boolean again) {
    in.use(over);
    byte[] request = again && !words.isPassed() ? copy(words) : null;
    Pending pending = gate.pass(words);
    pending.link = over;
    pending.request = request;
    in.pass(words.size());
    if (!gate.wasStreaming()) {
      answers.expect(pending);
      HotReads.Flight flight = pending.flight;
      HeldKey key = pending.key;
      if (flight != null && key != null && flight.isTimed()) {
        Pending end = Pending.own(over);
        end.flight = flight;
        ask(over, CommandGate.ttlOf(key.bytes()), end);
      }
    }
    return pending;
  }

  @Override
  public Pending leaveOut(RequestScanner words) {
    Pending pending = gate.pass(words);
    in.skip(words.size());
    return pending;
  }

  @Override
  public byte[] copy(RequestScanner words) {
    return in.copy(words.size());
  }

  @Override
  public void ask(UpstreamLink over, byte[] bytes, Pending pending) {
    in.handOn();
    over.write(bytes);
    pending.link = over;
    answers.expect(pending);
  }

  @Override
  public void bow() {
    draining = true;
  }

  private void run() {
    running = true;
    try {
      while (!ending && in.bytes().isReadable() && ctx.channel().isWritable() && mayRead()) {
        boolean whole = scanner.read(in.bytes());
        if (whole ? !command() : !passOn()) {
          break;
        }
      }
    } catch (ProtocolException e) {
      shield.counters().protocolError();
      in.handOn();
      answers.local(Answers.line("ERR Protocol error: " + e.getMessage()), true);
      draining = true;
    } finally {
      running = false;
    }
    in.handOn();
    route.flush();
  }

  private boolean mayRead() {
    return !draining
        && !route.isConnecting()
        && answers.size() < MAX_WAITING
        && answers.requestBytes() < MAX_REQUEST_BYTES
        && route.isWritable();
  }

  /** Deals with the command that is whole; returns false if it must wait. */
  private boolean command() {
    if (scanner.count() == 0) {
      in.skip(scanner.size());
    } else if (refused != null) {
      answers.local(refused, true);
      refused = null;
      in.skip(scanner.size());
    } else if (gate.answers(scanner)) {
      in.skip(scanner.size());
    } else {
      Route.Step step = route.command(scanner);
      if (step == Route.Step.WAIT) {
        return false;
      }
      if (step != Route.Step.DONE) {
        byte[] kept = step == Route.Step.UNREACHED ? gate.last() : null;
        answers.local(kept == null ? route.refusal() : kept, kept == null);
        in.skip(scanner.size());
      }
    }
    gate.next();
    scanner.next();
    partial(false, shield.ticker());
    return true;
  }

  /** Hands on what has come of a long command; returns false if nothing can be done now. */
  private boolean passOn() {
    int came = in.bytes().readableBytes();
    if (came <= RequestScanner.PIECE) {
      return false;
    }
    if (refused == null) {
      switch (route.begin(scanner, came)) {
        case DONE -> {}
        case WAIT -> {
          return false;
        }
        case UNREACHED, REFUSED -> refused = route.refusal();
      }
    }
    int bytes = scanner.pass(in.bytes());
    if (refused != null) {
      in.skip(bytes);
    } else {
      in.pass(bytes);
    }
    return bytes > 0;
  }

  private void finishRound() {
    gate.flush();
    if (ending) {
      return;
    }
    boolean takes = ctx.channel().isWritable();
    boolean wanted = takes && mayRead();
    if (answers.isQuiet() && (draining || (wanted && isInputEnded()))) {
      end();
      return;
    }
    UpstreamLink open = wanted && isInputEnded() ? openAnswer() : null;
    if (open != null) {
      // As for a client of its own, the upstream answers what it can at once, and closes.
      open.shutdownOutput(shield.settings().timeout());
    }
    partial(wanted && (in.bytes().isReadable() || scanner.isPassed()), shield.ticker());
    hold(ctx, in.trim() + answers.heldBytes(), allHeld, limits, shield.counters());
    if (ctx.channel().config().isAutoRead() != wanted) {
      ctx.channel().config().setAutoRead(wanted);
    }
    route.reading(takes);
  }

  /** Returns where the next answer is due if it may take any time, or null. */
  private @Nullable UpstreamLink openAnswer() {
    return answers.silentSinceNanos() == 0 ? answers.turn() : null;
  }

  private void sweepHere(long nowNanos) {
    if (ending) {
      return;
    }
    long silent = answers.silentSinceNanos();
    long most = shield.settings().timeout().toNanos() - SWEEP_NANOS;
    UpstreamLink asked = answers.turn();
    boolean busy = asked != null && asked.server.isBusy();
    if (silent != 0 && !busy && ctx.channel().isWritable() && nowNanos - silent > most) {
      afterLoss(route.silent());
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

  private void goOn() throws ProtocolException {
    if (!answers.goOn()) {
      end();
    }
  }

  private void end() {
    ending = true;
    answers.flush();
    linger(ctx, limits);
  }
}
