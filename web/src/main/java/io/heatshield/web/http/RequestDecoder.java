package io.heatshield.web.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.io.Serial;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A strict version of Netty's request decoder, which also reports whether it is inside a head.
 *
 * <p>Request smuggling relies on two parsers reading one request differently. So ambiguous requests
 * are refused: folded header lines, and Content-Length combined with a chunked body. They are
 * decoded with a failed {@link DecoderResult}.
 */
final class RequestDecoder extends HttpRequestDecoder {
  /*
   * The header parser consumes whole lines, so the buffer is at the start of a line whenever decode
   * is called and whenever a message is created from its first line. Only there can a line that
   * begins with a blank be detected: afterwards Netty has joined it to the previous line.
   */
  private static final int TLS_HANDSHAKE = 0x16;

  private @Nullable ByteBuf buffer;
  private boolean inMessage;
  private boolean inHead;
  private boolean inHeaders;
  private String fault = "";

  RequestDecoder(HttpLimits limits) {
    super(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(limits.maxLineBytes())
            .setMaxHeaderSize(limits.maxHeaderBytes())
            .setMaxChunkSize(8 << 10)
            .setAllowDuplicateContentLengths(false)
            .setStrictLineParsing(true)
            .setValidateHeaders(true));
  }

  /** Returns whether the headers of a request have arrived partially. */
  boolean inHead() {
    return inHead;
  }

  /** Returns the response to a request that could not be decoded. */
  static Response refusal(DecoderResult result) {
    Throwable cause = result.cause();
    if (cause instanceof TooLongHttpLineException) {
      return Response.problem(414, "the request line is too long");
    }
    if (cause instanceof TooLongHttpHeaderException) {
      return Response.problem(431, "the headers are too large");
    }
    return Response.problem(
        400,
        cause instanceof BadRequestException
            ? String.valueOf(cause.getMessage())
            : "the request is malformed");
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
    if (!inMessage && in.isReadable()) {
      if (in.getByte(in.readerIndex()) == TLS_HANDSHAKE) {
        in.skipBytes(in.readableBytes());
        throw new TlsOnPlainPortException();
      }
      inMessage = true;
      inHead = true;
    }
    if (inHeaders) {
      checkFolding(in);
    }
    buffer = in;
    int before = out.size();
    super.decode(ctx, in, out);
    buffer = null;
    for (int i = before; i < out.size(); i++) {
      finished(out.get(i));
    }
  }

  @Override
  protected HttpMessage createMessage(String[] initialLine) throws Exception {
    inHeaders = true;
    if (buffer != null) {
      checkFolding(buffer);
    }
    return super.createMessage(initialLine);
  }

  @Override
  protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
    fault = "a request must not have both Content-Length and Transfer-Encoding";
  }

  private void finished(Object part) {
    if (part instanceof HttpRequest request) {
      inHead = false;
      inHeaders = false;
      if (!fault.isEmpty() && request.decoderResult().isSuccess()) {
        request.setDecoderResult(DecoderResult.failure(new BadRequestException(fault)));
      }
      fault = "";
    }
    if (part instanceof LastHttpContent) {
      inMessage = false;
    }
  }

  private void checkFolding(ByteBuf in) {
    int line = in.readerIndex();
    while (line < in.writerIndex()) {
      byte first = in.getByte(line);
      if (first == ' ' || first == '\t') {
        fault = "a header line must not begin with a blank";
        return;
      }
      int end = in.indexOf(line, in.writerIndex(), (byte) '\n');
      if (end < 0 || first == '\r' || first == '\n') {
        return;
      }
      line = end + 1;
    }
  }

  /** Thrown if a TLS client connects to a port without TLS. */
  static final class TlsOnPlainPortException extends Exception {
    @Serial private static final long serialVersionUID = 1;
  }
}
