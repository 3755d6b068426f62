package io.heatshield.cli;

import io.heatshield.cli.view.CellWidth;
import io.heatshield.cli.view.Facts;
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

/** The options of the commands that ask a running server, and the asking. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
final class ServerQuestion {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int BAD_REQUEST = 400;
  private static final int MAX_TOKEN_BYTES = 4096;
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().connectTimeout(PATIENCE).proxy(HttpClient.Builder.NO_PROXY).build();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8080",
      description = "The server, ${DEFAULT-VALUE} if not given.")
  private String url;

  @Option(names = "--json", description = "Prints the server's answer as it is.")
  private boolean json;

  @Option(
      names = "--token-file",
      paramLabel = "F",
      description = "A file with the admin token, where the server asks for it.")
  private @Nullable Path tokenFile;

  /** Returns the answer to a question, which is also printed, as it is or as lines for people. */
  Facts tell(String path, PrintWriter out, Function<Facts, List<String>> lines) {
    byte[] body = body(path);
    Facts facts = facts(body);
    if (json) {
      out.println(new String(body, StandardCharsets.UTF_8));
    } else {
      lines.apply(facts).stream()
          .flatMap(line -> CellWidth.wrap(line, Terminal.width()).stream())
          .forEach(out::println);
    }
    return facts;
  }

  /** Returns whether the answer is for programs. */
  boolean json() {
    return json;
  }

  /** Returns the answer to a question, for people, or prints it as it is and returns null. */
  @Nullable Facts ask(String path, PrintWriter out) {
    byte[] body = body(path);
    if (json) {
      out.println(new String(body, StandardCharsets.UTF_8));
      return null;
    }
    return facts(body);
  }

  /** Returns the answer to a question. */
  Facts ask(String path) {
    return facts(body(path));
  }

  private Facts facts(byte[] body) {
    try {
      return new Facts(JsonReader.read(body));
    } catch (InvalidJsonException e) {
      throw new CannotRunException(shownUrl() + " did not answer in JSON: " + e.getMessage());
    }
  }

  private byte[] body(String path) {
    HttpResponse<byte[]> answer = get(path);
    if (answer.statusCode() != 200) {
      throw refused(answer);
    }
    return answer.body();
  }

  /** Returns the answer to a question, whatever its status is. */
  HttpResponse<byte[]> get(String path) {
    HttpRequest request = request(path);
    try {
      return CLIENT.send(request, HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new CannotRunException("cannot reach " + shownUrl() + ": " + FailureReason.of(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CannotRunException("interrupted while asking " + shownUrl());
    }
  }

  private HttpRequest request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server() + path)).timeout(PATIENCE);
    if (tokenFile != null) {
      request.header("Authorization", "Bearer " + token(tokenFile));
    }
    return request.build();
  }

  /** Returns the address of the server without a slash at its end. */
  private String server() {
    try {
      URI uri = new URI(url);
      boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (http && uri.getHost() != null && uri.getPort() <= 65_535 && uri.getQuery() == null) {
        return url.replaceAll("/+$", "");
      }
    } catch (URISyntaxException e) {
      // The same as an address of another kind.
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
      throw InputFile.failure(file, "holds no token of visible characters");
    }
    return token;
  }

  /**
   * Returns the end of the command: a question that the server cannot understand is wrong usage.
   */
  RuntimeException refused(HttpResponse<byte[]> answer) {
    String said = "";
    try {
      said = new Facts(JsonReader.read(answer.body())).text("error");
    } catch (InvalidJsonException e) {
      // Not one of ours; its number says enough.
    }
    if (answer.statusCode() == BAD_REQUEST && !said.isEmpty()) {
      return new ParameterException(spec.commandLine(), said);
    }
    return new CannotRunException(
        shownUrl()
            + " answered "
            + answer.statusCode()
            + (said.isEmpty() ? "" : ": " + KeyText.of(said)));
  }

  private String shownUrl() {
    return KeyText.of(url);
  }
}
