package io.heatshield.web.http;

import io.heatshield.runtime.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable HTTP response: status, content type, headers and a body or a stream of events.
 *
 * <p>The server adds the length, connection and security headers.
 */
public final class Response {
  public static final String JSON = "application/json";
  public static final String TEXT = "text/plain; charset=utf-8";

  private final int status;
  private final String contentType;
  private final byte[] body;
  private final List<Map.Entry<String, String>> headers;
  private final @Nullable String problem;
  private final @Nullable Consumer<EventStream> events;

  private Response(
      int status,
      String contentType,
      byte[] body,
      List<Map.Entry<String, String>> headers,
      @Nullable String problem,
      @Nullable Consumer<EventStream> events) {
    if (status < 200 || status > 599) {
      throw new IllegalArgumentException("status must be from 200 to 599: " + status);
    }
    this.status = status;
    this.contentType = contentType;
    this.body = body;
    this.headers = List.copyOf(headers);
    this.problem = problem;
    this.events = events;
  }

  /** Returns a response of 200 with the JSON form of a value; see {@link Json}. */
  public static Response json(Object value) {
    return json(200, value);
  }

  /** Returns a response with the JSON form of a value; see {@link Json}. */
  public static Response json(int status, Object value) {
    return of(status, JSON, Json.write(value).getBytes(StandardCharsets.UTF_8));
  }

  /** Returns a plain-text response. */
  public static Response text(int status, String text) {
    return of(status, TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns a response of bytes, which the caller must not change afterwards. */
  public static Response of(int status, String contentType, byte[] body) {
    return new Response(status, contentType, body, List.of(), null, null);
  }

  /** Returns a response without content. */
  public static Response empty(int status) {
    return of(status, "", new byte[0]);
  }

  /**
   * Returns an error response: JSON under {@code /api}, plain text elsewhere.
   *
   * @param message the reason; parts of the request in it must be escaped by {@link
   *     io.heatshield.key.KeyText}
   */
  public static Response problem(int status, String message) {
    return new Response(status, "", new byte[0], List.of(), message, null);
  }

  /**
   * Returns a stream of server-sent events.
   *
   * @param opened receives the stream after the headers were sent, on the event loop
   */
  public static Response events(Consumer<EventStream> opened) {
    return new Response(200, "text/event-stream", new byte[0], List.of(), null, opened);
  }

  /** Returns this response with one more header. */
  public Response withHeader(String name, String value) {
    if (!name.matches("[A-Za-z0-9-]+") || !value.matches("[\\x20-\\x7e]*")) {
      throw new IllegalArgumentException("header must be printable ASCII: " + name);
    }
    var more = new ArrayList<>(headers);
    more.add(Map.entry(name, value));
    return new Response(status, contentType, body, more, problem, events);
  }

  /** Returns this response as a completed stage. */
  public CompletionStage<Response> completed() {
    return CompletableFuture.completedFuture(this);
  }

  /** Returns the status. */
  public int status() {
    return status;
  }

  /** Returns the content type, or empty if there is no content. */
  public String contentType() {
    return contentType;
  }

  byte[] body() {
    return body;
  }

  List<Map.Entry<String, String>> headers() {
    return headers;
  }

  @Nullable Consumer<EventStream> eventsOpened() {
    return events;
  }

  /** Returns this response with its error, if any, rendered as JSON or as text. */
  Response rendered(boolean api) {
    if (problem == null) {
      return this;
    }
    var plain = api ? json(status, new Problem(problem, status)) : text(status, problem + "\n");
    return new Response(status, plain.contentType, plain.body, headers, null, null);
  }
}
