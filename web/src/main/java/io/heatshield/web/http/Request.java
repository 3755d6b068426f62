package io.heatshield.web.http;

import io.heatshield.key.KeyText;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A whole request, within the door's limits, whose host, path and method were accepted. */
public final class Request {
  private final Method method;
  private final String path;
  private final Map<String, byte[]> parameters;
  private final Map<String, byte[]> query;
  private final HttpHeaders headers;
  private final byte[] body;

  Request(
      Method method,
      String path,
      Map<String, byte[]> parameters,
      Map<String, byte[]> query,
      HttpHeaders headers,
      byte[] body) {
    this.method = method;
    this.path = path;
    this.parameters = parameters;
    this.query = query;
    this.headers = headers;
    this.body = body;
  }

  /** Returns the method; a route of GET also sees HEAD, and answers both alike. */
  public Method method() {
    return method;
  }

  /** Returns the path as it was sent, percent-encoded. */
  public String path() {
    return path;
  }

  /** Returns the bytes that stand in the path for a parameter of the route's template. */
  public byte[] parameter(String name) {
    return Objects.requireNonNull(parameters.get(name), name).clone();
  }

  /**
   * Returns the bytes that stand in the path for a parameter, as text.
   *
   * @throws BadRequestException if they are not UTF-8
   */
  public String parameterText(String name) {
    return PercentText.text(parameter(name));
  }

  /**
   * Returns the text of a query parameter, or null if it was not given.
   *
   * @throws BadRequestException if it is not UTF-8
   */
  public @Nullable String query(String name) {
    byte[] value = query.get(name);
    return value == null ? null : PercentText.text(value);
  }

  /**
   * Returns a whole number from the query, or a default if it was not given.
   *
   * @throws BadRequestException if it is not a number from {@code min} to {@code max}
   */
  public int queryInt(String name, int otherwise, int min, int max) {
    byte[] value = query.get(name);
    if (value == null) {
      return otherwise;
    }
    String text = PercentText.text(value);
    if (text.matches("-?[0-9]{1,10}")) {
      long number = Long.parseLong(text);
      if (number >= min && number <= max) {
        return (int) number;
      }
    }
    throw new BadRequestException(
        name + " must be a number from " + min + " to " + max + ": " + KeyText.of(value));
  }

  /** Returns the first value of a header, or null if it was not sent. */
  public @Nullable String header(String name) {
    return headers.get(name);
  }

  /** Returns a copy of the body, which is empty if there was none. */
  public byte[] body() {
    return body.clone();
  }
}
