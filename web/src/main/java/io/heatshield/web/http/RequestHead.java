package io.heatshield.web.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The validated request line and headers of a request.
 *
 * @param method the method, or null if it is valid but not supported by any route
 * @param path the percent-encoded path
 * @param query the percent-encoded query, or empty
 * @param host the requested host and port, or null if absent
 * @param headers the headers
 * @param http11 whether the version is HTTP/1.1, as opposed to 1.0
 * @param keepAlive whether the connection should stay open after the response
 */
record RequestHead(
    @Nullable Method method,
    String path,
    String query,
    @Nullable String host,
    HttpHeaders headers,
    boolean http11,
    boolean keepAlive) {
  private static final Pattern METHOD = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}");
  private static final Pattern TARGET =
      Pattern.compile("(?:(?i:https?)://([^/?#]+))?(/[^?#]*)(?:\\?([^#]*))?");
  private static final Pattern VISIBLE = Pattern.compile("[\\x21-\\x7e]+");

  /**
   * Validates the head of a request.
   *
   * @throws BadRequestException if it violates a rule of HTTP/1.1 that the decoder does not check
   */
  static RequestHead of(HttpRequest request) {
    boolean http11 = request.protocolVersion().equals(HttpVersion.HTTP_1_1);
    if (!http11 && !request.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
      throw new BadRequestException("the version must be HTTP/1.1 or HTTP/1.0");
    }
    if (!METHOD.matcher(request.method().name()).matches()) {
      throw new BadRequestException("the method is malformed");
    }
    HttpHeaders headers = request.headers();
    checkTransferEncoding(headers, http11);
    if (!VISIBLE.matcher(request.uri()).matches()) {
      throw new BadRequestException("the request target must be percent-encoded");
    }
    Matcher target = TARGET.matcher(request.uri());
    if (!target.matches()) {
      throw new BadRequestException("the request target must be a path");
    }
    String host = host(headers, http11);
    String query = target.group(3);
    return new RequestHead(
        Method.of(request.method().name()),
        target.group(2),
        query == null ? "" : query,
        target.group(1) == null ? host : wellFormed(target.group(1)),
        headers,
        http11,
        HttpUtil.isKeepAlive(request));
  }

  /** Returns whether errors are rendered as JSON. */
  boolean isApi() {
    return Route.isApi(path);
  }

  private static void checkTransferEncoding(HttpHeaders headers, boolean http11) {
    List<String> encodings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
    if (encodings.isEmpty()) {
      return;
    }
    if (!http11 || encodings.size() > 1 || !encodings.get(0).equalsIgnoreCase("chunked")) {
      throw new BadRequestException("Transfer-Encoding must be 'chunked', in HTTP/1.1");
    }
  }

  private static @Nullable String host(HttpHeaders headers, boolean http11) {
    List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
    if (hosts.size() > 1 || (hosts.isEmpty() && http11)) {
      throw new BadRequestException("there must be one Host header");
    }
    return hosts.isEmpty() ? null : wellFormed(hosts.get(0));
  }

  private static String wellFormed(String host) {
    if (!HostRule.isWellFormed(host)) {
      throw new BadRequestException("the host must be a name or address with an optional port");
    }
    return host;
  }
}
