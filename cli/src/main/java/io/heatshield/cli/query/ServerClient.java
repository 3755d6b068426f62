package io.heatshield.cli.query;

import io.heatshield.cli.process.CannotRunException;
import io.heatshield.cli.process.FailureReason;
import io.heatshield.cli.process.InputFile;
import io.heatshield.cli.view.CellWidth;
import io.heatshield.cli.view.JsonObject;
import io.heatshield.cli.view.Terminal;
import io.heatshield.key.KeyText;
import io.heatshield.runtime.json.InvalidJsonException;
import io.heatshield.runtime.json.JsonReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The HTTP client of the commands that query a running server, with their common options. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
final class ServerClient {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int BAD_REQUEST = 400;
  private static final int MAX_TOKEN_BYTES = 4096;
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().connectTimeout(TIMEOUT).proxy(HttpClient.Builder.NO_PROXY).build();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8080",
      description = "The address of the server. Default: ${DEFAULT-VALUE}.")
  private String url;

  @Option(names = "--json", description = "Prints the server's response as JSON.")
  private boolean json;

  @Option(
      names = "--token-file",
      paramLabel = "F",
      description = "The file with the admin token, if the server requires it.")
  private @Nullable Path tokenFile;

  /** Returns whether the user wants JSON. */
  boolean json() {
    return json;
  }

  /** Gets a resource and prints it, as JSON or as the given lines, wrapped to the terminal. */
  JsonObject print(String path, Function<JsonObject, List<String>> lines) {
    byte[] body = body(path);
    JsonObject object = parse(body);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(new String(body, StandardCharsets.UTF_8));
    } else {
      lines.apply(object).stream()
          .flatMap(line -> CellWidth.wrap(line, Terminal.width()).stream())
          .forEach(out::println);
    }
    return object;
  }

  /** Gets a resource. */
  JsonObject get(String path) {
    return parse(body(path));
  }

  private JsonObject parse(byte[] body) {
    try {
      return new JsonObject(JsonReader.read(body));
    } catch (InvalidJsonException e) {
      throw new CannotRunException(printableUrl() + " did not return JSON: " + e.getMessage());
    }
  }

  private byte[] body(String path) {
    HttpResponse<byte[]> response = send(path);
    if (response.statusCode() != 200) {
      throw failure(response);
    }
    return response.body();
  }

  /** Sends a GET request and returns the response, whatever its status. */
  HttpResponse<byte[]> send(String path) {
    HttpRequest request = request(path);
    try {
      return CLIENT.send(request, HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new CannotRunException("cannot reach " + printableUrl() + ": " + FailureReason.of(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CannotRunException("interrupted while waiting for " + printableUrl());
    }
  }

  private HttpRequest request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server() + path)).timeout(TIMEOUT);
    if (tokenFile != null) {
      request.header("Authorization", "Bearer " + token(tokenFile));
    }
    return request.build();
  }

  /** Returns the address of the server without a trailing slash. */
  private String server() {
    try {
      URI uri = new URI(url);
      boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (http && uri.getHost() != null && uri.getPort() <= 65_535 && uri.getQuery() == null) {
        return url.replaceAll("/+$", "");
      }
    } catch (URISyntaxException e) {
      // Reported below, like a URL that is not HTTP.
    }
    throw new ParameterException(
        spec.commandLine(), "--url must be like http://127.0.0.1:8080: '" + url + "'");
  }

  private static String token(Path file) {
    String token;
    try (InputStream in = Files.newInputStream(InputFile.readable(file))) {
      token = new String(in.readNBytes(MAX_TOKEN_BYTES), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw InputFile.failure(file, e);
    }
    if (!token.matches("[!-~]+")) {
      throw InputFile.failure(file, "does not contain a token of visible ASCII characters");
    }
    return token;
  }

  /** Returns the exception for an error response; a bad request is an error of usage. */
  RuntimeException failure(HttpResponse<byte[]> response) {
    String error = "";
    try {
      error = new JsonObject(JsonReader.read(response.body())).text("error");
    } catch (InvalidJsonException e) {
      // Not a Heatshield server; the status code must do.
    }
    if (response.statusCode() == BAD_REQUEST && !error.isEmpty()) {
      return new ParameterException(spec.commandLine(), error);
    }
    return new CannotRunException(
        printableUrl()
            + " answered "
            + response.statusCode()
            + (error.isEmpty() ? "" : ": " + KeyText.of(error)));
  }

  private String printableUrl() {
    return KeyText.of(url);
  }
}
