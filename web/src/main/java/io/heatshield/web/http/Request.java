package io.heatshield.web.http;

import io.heatshield.key.KeyText;
import io.heatshield.web.openapi.Schema;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A complete request that passed the server's limits, host check and routing. */
public final class Request {
  private final Map<String, byte[]> parameters;
  private final Map<String, byte[]> query;
  private final HttpHeaders headers;
  private final byte[] body;

  Request(
      Map<String, byte[]> parameters, Map<String, byte[]> query, HttpHeaders headers, byte[] body) {
    this.parameters = parameters;
    this.query = query;
    this.headers = headers;
    this.body = body;
  }

  /** Returns the decoded value of a path parameter. */
  public byte[] parameter(String name) {
    return Objects.requireNonNull(parameters.get(name), name).clone();
  }

  /**
   * Returns the value of a path parameter as text.
   *
   * @throws BadRequestException if they are not UTF-8
   */
  public String parameterText(String name) {
    return PercentDecoder.text(parameter(name));
  }

  /**
   * Returns a query parameter, or null if absent.
   *
   * @throws BadRequestException if it is not UTF-8
   */
  public @Nullable String query(String name) {
    byte[] value = query.get(name);
    return value == null ? null : PercentDecoder.text(value);
  }

  /**
   * Returns an integer query parameter, or a default if absent.
   *
   * @throws BadRequestException if it is not an integer from {@code min} to {@code max}
   */
  public int queryInt(String name, int otherwise, int min, int max) {
    return (int) queryLong(name, otherwise, min, max);
  }

  /**
   * Returns a query parameter in Unix milliseconds, or a default if absent.
   *
   * @throws BadRequestException if it is not a number from 0 to {@link Schema#MAX_UNIX_MILLIS}
   */
  public long queryMillis(String name, long otherwise) {
    return queryLong(name, otherwise, 0, Schema.MAX_UNIX_MILLIS);
  }

  private long queryLong(String name, long otherwise, long min, long max) {
    byte[] value = query.get(name);
    if (value == null) {
      return otherwise;
    }
    String text = PercentDecoder.text(value);
    if (text.matches("-?[0-9]{1,15}")) {
      long number = Long.parseLong(text);
      if (number >= min && number <= max) {
        return number;
      }
    }
    throw new BadRequestException(
        name + " must be a number from " + min + " to " + max + ": " + KeyText.of(value));
  }

  /** Returns the first value of a header, or null if absent. */
  public @Nullable String header(String name) {
    return headers.get(name);
  }

  /** Returns a copy of the body, which may be empty. */
  public byte[] body() {
    return body.clone();
  }
}
