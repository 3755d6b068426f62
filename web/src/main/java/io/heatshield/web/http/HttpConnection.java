package io.heatshield.web.http;

import io.heatshield.web.http.ConnectionTimer.Wait;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection of one client, which serves its requests one after the other. */
// The result of a write or a close is reported by the channel itself, in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
final class HttpConnection extends ChannelInboundHandlerAdapter {
  /*
   *            head           last content        response          written
   *  WAITING ───────► BODY ────────────► HANDLING ─────► WRITING ─────────► WAITING
   *     │               │                    └─► STREAMING  │
   *     └───────────────┴── refused ────────────────────────┴─ last one ──► LINGERING ──► closed
   *
   * Everything runs on the connection's event loop. The socket is read only while a request is
   * expected, so TCP slows down a client that pipelines without reading: the connection holds at
   * most the decoded parts of one read (inbox) and one response. A timer is set only when the
   * connection has to wait, so a request that arrives whole and is served immediately sets one.
   *
   * LINGERING: the last response is sent and our side is shut down, but further input is read and
   * discarded for a moment. Closing immediately would make the kernel send a reset, which can
   * destroy the response before the client has read it.
   */
  private static final Logger log = LoggerFactory.getLogger(HttpConnection.class);

  private final HttpServer.Context server;
  private final RequestDecoder decoder;
  private final RequestAssembler request;
  private final ConnectionTimer timer = new ConnectionTimer();
  private final ArrayDeque<Object> inbox = new ArrayDeque<>();
  private ChannelHandlerContext ctx;
  private Phase phase = Phase.WAITING;
  private @Nullable EventStream stream;
  private int exchange;
  private boolean pumping;
  private boolean inputEnded;

  // Netty calls handlerAdded, which sets the context, before any other method.
  @SuppressWarnings("NullAway.Init")
  HttpConnection(HttpServer.Context server, RequestDecoder decoder) {
    this.server = server;
    this.decoder = decoder;
    this.request = new RequestAssembler(server.limits().maxBodyBytes());
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
    timer.stop();
    clearInbox();
    if (stream != null) {
      stream.disconnected();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
    Throwable cause =
        failure instanceof DecoderException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof NotSslRecordException) {
      server
          .protocolErrors()
          .warn("closed a client without TLS on the HTTPS port: it must use https://");
    } else if (cause instanceof RequestDecoder.TlsOnPlainPortException) {
      server
          .protocolErrors()
          .warn("closed a TLS client on the plain HTTP port: it must use http://");
    } else if (cause instanceof IOException) {
      log.debug("connection lost", cause);
    } else {
      log.warn("closing an HTTP connection after an unexpected error", cause);
    }
    ctx.close();
  }

  /** Closes the connection, after the running request if there is one. */
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
    boolean idle = phase == Phase.WAITING && !decoder.inHead();
    if (inputEnded || (idle && server.stopping().getAsBoolean())) {
      ctx.close();
      return;
    }
    Wait wait =
        phase == Phase.BODY
            ? Wait.BODY
            : decoder.inHead() ? Wait.HEAD : exchange == 0 ? Wait.FIRST_BYTE : Wait.NEXT_REQUEST;
    if (wait != timer.waitingFor()) {
      HttpLimits limits = server.limits();
      switch (wait) {
        case FIRST_BYTE -> timer.start(ctx, wait, limits.headerTimeout(), ctx::close);
        case NEXT_REQUEST -> timer.start(ctx, wait, limits.idleTimeout(), ctx::close);
        case HEAD -> timer.start(ctx, wait, limits.headerTimeout(), this::onReadTimeout);
        default -> timer.start(ctx, wait, limits.bodyTimeout(), this::onReadTimeout);
      }
    }
    ctx.read();
  }

  private void onReadTimeout() {
    server.meters().timeouts.increment();
    refuse(Response.problem(408, "timeout: the request did not arrive completely"));
  }

  private void accept(Object part) {
    if (part instanceof HttpRequest head) {
      begin(head);
    }
    if (part instanceof HttpContent content && phase == Phase.BODY) {
      Response refusal = request.append(content);
      if (refusal != null) {
        refuse(refusal);
      } else if (content instanceof LastHttpContent) {
        handle();
      }
    }
  }

  private void begin(HttpRequest head) {
    timer.stop();
    Response refusal = request.begin(head);
    if (refusal != null) {
      refuse(refusal);
      return;
    }
    if (request.awaitsContinue()) {
      ctx.writeAndFlush(
          new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
    }
    phase = Phase.BODY;
  }

  private void handle() {
    timer.stop();
    phase = Phase.HANDLING;
    int current = ++exchange;
    CompletableFuture<Response> answer =
        server
            .dispatcher()
            .dispatch(Objects.requireNonNull(request.head()), request.takeBody(), this::schedule)
            .toCompletableFuture();
    if (answer.isDone()) {
      respond(current, answer.join());
      return;
    }
    timer.start(
        ctx, Wait.HANDLER, server.limits().handlerTimeout(), () -> onHandlerTimeout(current));
    answer.thenAccept(response -> ctx.executor().execute(() -> respond(current, response)));
  }

  private void schedule(Duration delay, Runnable task) {
    ctx.executor().schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void onHandlerTimeout(int current) {
    server.meters().timeouts.increment();
    respond(current, Response.problem(503, "timeout: the server did not respond in time"));
  }

  private void respond(int current, Response response) {
    if (current != exchange || phase != Phase.HANDLING) {
      return;
    }
    RequestHead head = Objects.requireNonNull(request.head());
    if (response.eventsOpened() != null && head.method() != Method.HEAD) {
      openStream(head, response);
    } else {
      write(response, server.stopping().getAsBoolean() || !head.keepAlive());
    }
  }

  private void write(Response response, boolean close) {
    timer.stop();
    phase = Phase.WRITING;
    server.meters().countResponse(response.status());
    ChannelFuture written =
        ctx.writeAndFlush(ResponseWriter.whole(request.head(), response, close));
    if (written.isDone()) {
      onWritten(written, close);
    } else {
      timer.start(ctx, Wait.WRITE, server.limits().writeTimeout(), this::onWriteTimeout);
      written.addListener(done -> onWritten(written, close));
    }
  }

  private void onWriteTimeout() {
    server.meters().timeouts.increment();
    ctx.close();
  }

  private void onWritten(ChannelFuture written, boolean close) {
    if (phase != Phase.WRITING) {
      return;
    }
    timer.stop();
    if (!written.isSuccess()) {
      ctx.close();
    } else if (close) {
      linger();
    } else {
      request.clear();
      phase = Phase.WAITING;
      pump();
    }
  }

  private void openStream(RequestHead head, Response response) {
    if (!server.acquireStream()) {
      server.meters().rejectedStreams.increment();
      write(Response.problem(503, "too many open event streams"), true);
      return;
    }
    timer.stop();
    phase = Phase.STREAMING;
    server.meters().countResponse(response.status());
    var opened = new EventStream(ctx, server.limits(), server.meters());
    stream = opened;
    opened.onClose(server::releaseStream);
    ctx.writeAndFlush(ResponseWriter.streamHead(head, response));
    clearInbox();
    ctx.channel().config().setAutoRead(true);
    opened.start();
    Objects.requireNonNull(response.eventsOpened()).accept(opened);
  }

  /** Refuses an invalid request and closes, because the rest of the input is unreliable. */
  private void refuse(Response refusal) {
    server.meters().badRequests.increment();
    exchange++;
    write(refusal, true);
  }

  private void linger() {
    phase = Phase.LINGERING;
    clearInbox();
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
    timer.start(ctx, Wait.LINGER, server.limits().lingerTimeout(), ctx::close);
    ctx.channel().config().setAutoRead(true);
  }

  private void clearInbox() {
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
