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
 * An answer: a status, a content type, a body and headers, or a stream of events.
 *
 * <p>Immutable; the door adds length, connection and security headers.
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

  /** Returns a success whose body is a value written by {@link Json}. */
  public static Response json(Object value) {
    return json(200, value);
  }

  /** Returns an answer whose body is a value written by {@link Json}. */
  public static Response json(int status, Object value) {
    return of(status, JSON, Json.write(value).getBytes(StandardCharsets.UTF_8));
  }

  /** Returns an answer of plain text. */
  public static Response text(int status, String text) {
    return of(status, TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns an answer of bytes, which the caller no longer changes. */
  public static Response of(int status, String contentType, byte[] body) {
    return new Response(status, contentType, body, List.of(), null, null);
  }

  /** Returns an answer without content. */
  public static Response empty(int status) {
    return of(status, "", new byte[0]);
  }

  /**
   * Returns a refusal or failure: JSON under {@code /api}, plain text elsewhere.
   *
   * @param message what is wrong; whatever it repeats of the request went through {@link
   *     io.heatshield.key.KeyText}
   */
  public static Response problem(int status, String message) {
    return new Response(status, "", new byte[0], List.of(), message, null);
  }

  /**
   * Returns a stream of server-sent events.
   *
   * @param opened is given the stream once the client has its headers; it runs on the event loop
   */
  public static Response events(Consumer<EventStream> opened) {
    return new Response(200, "text/event-stream", new byte[0], List.of(), null, opened);
  }

  /** Returns this answer with one more header. */
  public Response withHeader(String name, String value) {
    if (!name.matches("[A-Za-z0-9-]+") || !value.matches("[\\x20-\\x7e]*")) {
      throw new IllegalArgumentException("header must be printable ASCII: " + name);
    }
    var more = new ArrayList<>(headers);
    more.add(Map.entry(name, value));
    return new Response(status, contentType, body, more, problem, events);
  }

  /** Returns this answer as a stage that is complete. */
  public CompletionStage<Response> now() {
    return CompletableFuture.completedFuture(this);
  }

  /** Returns the status. */
  public int status() {
    return status;
  }

  /** Returns the content type, which is empty if there is no content yet. */
  public String contentType() {
    return contentType;
  }

  /** Returns a copy of the body. */
  public byte[] body() {
    return body.clone();
  }

  byte[] rawBody() {
    return body;
  }

  List<Map.Entry<String, String>> headers() {
    return headers;
  }

  @Nullable Consumer<EventStream> eventsOpened() {
    return events;
  }

  /** Returns this answer with a problem's body in the form that the path asks for. */
  Response rendered(boolean api) {
    if (problem == null) {
      return this;
    }
    var plain = api ? json(status, new Problem(problem, status)) : text(status, problem + "\n");
    return new Response(status, plain.contentType, plain.body, headers, null, null);
  }
}
