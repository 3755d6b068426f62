package io.heatshield.web.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.time.Instant;
import java.util.Date;
import org.jspecify.annotations.Nullable;

/** Converts responses to Netty messages and adds the common headers. */
final class ResponseWriter {
  private static final String POLICY =
      "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

  private ResponseWriter() {}

  /** Returns a full response; for HEAD with the body's length but without the body. */
  static FullHttpResponse whole(@Nullable RequestHead head, Response unrendered, boolean close) {
    boolean api = head != null && head.isApi();
    Response response = unrendered.rendered(api);
    byte[] body = response.body();
    boolean omitBody = head != null && head.method() == Method.HEAD;
    ByteBuf content = omitBody ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body);
    var whole =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(response.status()), content);
    setHeaders(whole.headers(), response, api);
    if (response.status() != 204 && response.status() != 304) {
      whole.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.length);
    }
    if (close) {
      whole.headers().set(HttpHeaderNames.CONNECTION, "close");
    } else if (head != null && !head.http11()) {
      whole.headers().set(HttpHeaderNames.CONNECTION, "keep-alive");
    }
    return whole;
  }

  /** Returns the head of an event stream, which lasts until the connection is closed. */
  static HttpResponse streamHead(RequestHead head, Response response) {
    var start = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    setHeaders(start.headers(), response, head.isApi());
    start.headers().set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    start.headers().set(HttpHeaderNames.CONNECTION, "close");
    if (head.http11()) {
      start.headers().set(HttpHeaderNames.TRANSFER_ENCODING, "chunked");
    }
    return start;
  }

  private static void setHeaders(HttpHeaders headers, Response response, boolean api) {
    headers.set(HttpHeaderNames.DATE, DateFormatter.format(Date.from(Instant.now())));
    headers.set(HttpHeaderNames.CONTENT_SECURITY_POLICY, POLICY);
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    if (api) {
      headers.set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    }
    if (!response.contentType().isEmpty()) {
      headers.set(HttpHeaderNames.CONTENT_TYPE, response.contentType());
    }
    response.headers().forEach(header -> headers.set(header.getKey(), header.getValue()));
  }
}
