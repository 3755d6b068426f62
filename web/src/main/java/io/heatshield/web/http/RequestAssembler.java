package io.heatshield.web.http;

import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/** Assembles the head and body of one request at a time and enforces the body limit. */
final class RequestAssembler {
  private final int maxBodyBytes;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream(0);
  private @Nullable RequestHead head;
  private boolean awaitsContinue;

  RequestAssembler(int maxBodyBytes) {
    this.maxBodyBytes = maxBodyBytes;
  }

  /** Returns the head of the current request, or null if it was malformed. */
  @Nullable RequestHead head() {
    return head;
  }

  /** Returns whether the client waits for 100 Continue before it sends the body. */
  boolean awaitsContinue() {
    return awaitsContinue;
  }

  /** Starts a request. Returns the refusal if it cannot be served, otherwise null. */
  @Nullable Response begin(HttpRequest request) {
    clear();
    if (request.decoderResult().isFailure()) {
      return RequestDecoder.refusal(request.decoderResult());
    }
    try {
      head = RequestHead.of(request);
    } catch (BadRequestException e) {
      return Response.problem(400, String.valueOf(e.getMessage()));
    }
    String expect = request.headers().get(HttpHeaderNames.EXPECT);
    if (expect != null && !expect.equalsIgnoreCase("100-continue")) {
      return Response.problem(417, "the only supported expectation is 100-continue");
    }
    awaitsContinue = expect != null && head.http11();
    return HttpUtil.getContentLength(request, 0L) > maxBodyBytes ? tooLarge() : null;
  }

  /** Adds a part of the body. Returns the refusal if the request is invalid, otherwise null. */
  @Nullable Response append(HttpContent content) {
    if (content.decoderResult().isFailure()) {
      return RequestDecoder.refusal(content.decoderResult());
    }
    if (body.size() + content.content().readableBytes() > maxBodyBytes) {
      return tooLarge();
    }
    body.writeBytes(ByteBufUtil.getBytes(content.content()));
    return null;
  }

  /** Returns the body and releases its memory. */
  byte[] takeBody() {
    byte[] bytes = body.toByteArray();
    body.reset();
    return bytes;
  }

  /** Discards the current request. */
  void clear() {
    head = null;
    body.reset();
  }

  private Response tooLarge() {
    return Response.problem(413, "the body must not be larger than " + maxBodyBytes + " bytes");
  }
}
