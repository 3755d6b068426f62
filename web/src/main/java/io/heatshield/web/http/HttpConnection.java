package io.heatshield.web.http;

import io.heatshield.web.http.Countdown.Wait;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client's connection: takes its requests one after the other and answers each in turn. */
// What became of a write or a close is told by the channel itself, in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
final class HttpConnection extends ChannelInboundHandlerAdapter {
  /*
   *            head           last content        answer            written
   *  WAITING ───────► BODY ────────────► HANDLING ─────► WRITING ─────────► WAITING
   *     │               │                    └─► STREAMING  │
   *     └───────────────┴── refused ────────────────────────┴─ last one ──► LINGERING ──► closed
   *
   * Everything here runs on the connection's event loop. The socket is read only while a request is
   * wanted, so a client that pipelines without reading is held back by TCP: what is here of it is
   * one read's worth of decoded parts (inbox) and one answer. A timer is set only when the
   * connection really has to wait, so a request that arrives whole and is answered at once sets one.
   *
   * LINGERING: the last answer is out and our side is shut, but what the client still sends is read
   * and thrown away for a moment. Closing at once would make the kernel send a reset, which can
   * destroy the answer before the client has read it.
   */
  private static final Logger log = LoggerFactory.getLogger(HttpConnection.class);

  private final HttpDoor.Inside door;
  private final RequestDecoder decoder;
  private final Countdown countdown = new Countdown();
  private final ArrayDeque<Object> inbox = new ArrayDeque<>();
  private final ByteArrayOutputStream body = new ByteArrayOutputStream(0);
  private ChannelHandlerContext ctx;
  private Phase phase = Phase.WAITING;
  private @Nullable RequestHead head;
  private @Nullable EventStream stream;
  private int exchange;
  private boolean pumping;
  private boolean inputEnded;

  // Netty calls handlerAdded, which sets the context, before any other method.
  @SuppressWarnings("NullAway.Init")
  HttpConnection(HttpDoor.Inside door, RequestDecoder decoder) {
    this.door = door;
    this.decoder = decoder;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    ctx = context;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    pump();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object part) {
    if (phase == Phase.STREAMING || phase == Phase.LINGERING || phase == Phase.CLOSED) {
      ReferenceCountUtil.release(part);
      return;
    }
    inbox.add(part);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    pump();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownEvent || event == SslCloseCompletionEvent.SUCCESS) {
      inputEnded = true;
      if (phase == Phase.STREAMING || phase == Phase.LINGERING) {
        ctx.close();
      } else {
        pump();
      }
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    phase = Phase.CLOSED;
    exchange++;
    countdown.stop();
    emptyInbox();
    if (stream != null) {
      stream.gone();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
    Throwable cause =
        failure instanceof DecoderException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof NotSslRecordException) {
      door.strangers().warn("closed a client without TLS on the HTTPS port: it must use https://");
    } else if (cause instanceof RequestDecoder.TlsOnPlainPortException) {
      door.strangers().warn("closed a TLS client on the plain HTTP port: it must use http://");
    } else if (cause instanceof IOException) {
      log.debug("connection lost", cause);
    } else {
      log.warn("connection closed by an error", cause);
    }
    ctx.close();
  }

  /** Lets a request that runs finish and closes the connection when there is none. */
  void drain() {
    if (stream != null) {
      stream.close();
    } else if (phase == Phase.WAITING && inbox.isEmpty() && !decoder.inHead()) {
      ctx.close();
    }
  }

  private void pump() {
    if (pumping) {
      return;
    }
    pumping = true;
    try {
      while (takesInput()) {
        Object part = inbox.poll();
        if (part == null) {
          break;
        }
        try {
          accept(part);
        } finally {
          ReferenceCountUtil.release(part);
        }
      }
    } finally {
      pumping = false;
    }
    if (takesInput() && ctx.channel().isActive()) {
      awaitInput();
    }
  }

  private boolean takesInput() {
    return phase == Phase.WAITING || phase == Phase.BODY;
  }

  private void awaitInput() {
    if (inputEnded
        || (door.stopping().getAsBoolean() && phase == Phase.WAITING && !decoder.inHead())) {
      ctx.close();
      return;
    }
    Wait wait =
        phase == Phase.BODY
            ? Wait.BODY
            : decoder.inHead() ? Wait.HEAD : exchange == 0 ? Wait.FIRST_BYTE : Wait.NEXT_REQUEST;
    if (wait != countdown.waitingFor()) {
      switch (wait) {
        case FIRST_BYTE -> countdown.start(ctx, wait, door.limits().headerTimeout(), ctx::close);
        case NEXT_REQUEST -> countdown.start(ctx, wait, door.limits().idleTimeout(), ctx::close);
        case HEAD -> countdown.start(ctx, wait, door.limits().headerTimeout(), this::tooSlow);
        default -> countdown.start(ctx, wait, door.limits().bodyTimeout(), this::tooSlow);
      }
    }
    ctx.read();
  }

  private void tooSlow() {
    door.counters().timeout();
    refuse(Response.problem(408, "the request took too long to arrive"));
  }

  private void accept(Object part) {
    if (part instanceof HttpRequest request) {
      begin(request);
    }
    if (part instanceof HttpContent content && phase == Phase.BODY) {
      append(content);
    }
  }

  private void begin(HttpRequest request) {
    countdown.stop();
    head = null;
    if (request.decoderResult().isFailure()) {
      refuse(RequestDecoder.refusal(request.decoderResult()));
      return;
    }
    try {
      head = RequestHead.of(request);
    } catch (BadRequestException e) {
      refuse(Response.problem(400, String.valueOf(e.getMessage())));
      return;
    }
    String expect = request.headers().get(HttpHeaderNames.EXPECT);
    if (expect != null && !expect.equalsIgnoreCase("100-continue")) {
      refuse(Response.problem(417, "the only expectation that can be met is 100-continue"));
    } else if (HttpUtil.getContentLength(request, 0L) > door.limits().maxBodyBytes()) {
      refuseBody();
    } else {
      if (expect != null && head.http11()) {
        ctx.writeAndFlush(
            new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
      }
      phase = Phase.BODY;
    }
  }

  private void append(HttpContent content) {
    if (content.decoderResult().isFailure()) {
      refuse(RequestDecoder.refusal(content.decoderResult()));
      return;
    }
    ByteBuf bytes = content.content();
    if (body.size() + bytes.readableBytes() > door.limits().maxBodyBytes()) {
      refuseBody();
      return;
    }
    byte[] copy = new byte[bytes.readableBytes()];
    bytes.readBytes(copy);
    body.writeBytes(copy);
    if (content instanceof LastHttpContent) {
      handle(Objects.requireNonNull(head));
    }
  }

  private void handle(RequestHead request) {
    countdown.stop();
    phase = Phase.HANDLING;
    byte[] content = body.toByteArray();
    body.reset();
    int mine = ++exchange;
    CompletableFuture<Response> answer =
        door.dispatcher().answer(request, content, this::later).toCompletableFuture();
    if (answer.isDone()) {
      respond(mine, answer.join());
      return;
    }
    countdown.start(ctx, Wait.ANSWER, door.limits().handlerTimeout(), () -> noAnswer(mine));
    answer.thenAccept(response -> ctx.executor().execute(() -> respond(mine, response)));
  }

  private void later(Duration delay, Runnable task) {
    ctx.executor().schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void noAnswer(int mine) {
    door.counters().timeout();
    respond(mine, Response.problem(503, "the answer took too long"));
  }

  private void respond(int mine, Response response) {
    if (mine != exchange || phase != Phase.HANDLING) {
      return;
    }
    RequestHead request = Objects.requireNonNull(head);
    if (response.eventsOpened() != null && request.method() != Method.HEAD) {
      openStream(request, response);
    } else {
      write(response, door.stopping().getAsBoolean() || !request.keepAlive());
    }
  }

  private void write(Response response, boolean close) {
    countdown.stop();
    phase = Phase.WRITING;
    door.counters().response(response.status());
    ChannelFuture written = ctx.writeAndFlush(ResponseWriter.whole(head, response, close));
    if (written.isDone()) {
      written(written, close);
    } else {
      countdown.start(ctx, Wait.WRITE, door.limits().writeTimeout(), this::tooSlowReader);
      written.addListener(done -> written(written, close));
    }
  }

  private void tooSlowReader() {
    door.counters().timeout();
    ctx.close();
  }

  private void written(ChannelFuture written, boolean close) {
    if (phase != Phase.WRITING) {
      return;
    }
    countdown.stop();
    if (!written.isSuccess()) {
      ctx.close();
    } else if (close) {
      linger();
    } else {
      head = null;
      phase = Phase.WAITING;
      pump();
    }
  }

  private void openStream(RequestHead request, Response response) {
    if (!door.enterStream()) {
      door.counters().streamRejected();
      write(Response.problem(503, "too many event streams are open"), true);
      return;
    }
    countdown.stop();
    phase = Phase.STREAMING;
    door.counters().response(response.status());
    var opened = new EventStream(ctx, door.limits(), door.counters());
    stream = opened;
    opened.onClose(door::leaveStream);
    door.counters().streamOpened();
    ctx.writeAndFlush(ResponseWriter.streamHead(request, response));
    emptyInbox();
    ctx.channel().config().setAutoRead(true);
    opened.start();
    Objects.requireNonNull(response.eventsOpened()).accept(opened);
  }

  private void refuseBody() {
    refuse(
        Response.problem(
            413, "the body must not be larger than " + door.limits().maxBodyBytes() + " bytes"));
  }

  /** Answers a request that cannot be served, and closes, for what follows it cannot be trusted. */
  private void refuse(Response refusal) {
    door.counters().badRequest();
    exchange++;
    body.reset();
    write(refusal, true);
  }

  private void linger() {
    phase = Phase.LINGERING;
    emptyInbox();
    if (inputEnded) {
      ctx.close();
      return;
    }
    SslHandler tls = ctx.pipeline().get(SslHandler.class);
    if (tls != null) {
      tls.closeOutbound();
    } else if (ctx.channel() instanceof DuplexChannel socket) {
      socket.shutdownOutput();
    }
    countdown.start(ctx, Wait.LINGER, door.limits().lingerTimeout(), ctx::close);
    ctx.channel().config().setAutoRead(true);
  }

  private void emptyInbox() {
    inbox.forEach(ReferenceCountUtil::release);
    inbox.clear();
  }

  private enum Phase {
    WAITING,
    BODY,
    HANDLING,
    WRITING,
    STREAMING,
    LINGERING,
    CLOSED
  }
}
