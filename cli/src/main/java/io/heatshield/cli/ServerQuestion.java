package io.heatshield.cli;

import io.heatshield.cli.view.Facts;
import io.heatshield.key.KeyText;
import io.heatshield.server.http.BadRequestException;
import io.heatshield.server.http.JsonReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
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
import picocli.CommandLine.Option;

/** The options of the commands that ask a running server, and the asking. */
final class ServerQuestion {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().connectTimeout(PATIENCE).proxy(HttpClient.Builder.NO_PROXY).build();

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8080",
      description = "The server, ${DEFAULT-VALUE} if not given.")
  @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
  private String url;

  @Option(names = "--json", description = "Prints the server's answer as it is.")
  private boolean json;

  @Option(
      names = "--token-file",
      paramLabel = "F",
      description = "A file with the admin token, where the server wants it.")
  private @Nullable Path tokenFile;

  /** Returns the answer to a question, which is also printed, as it is or as lines for people. */
  Facts tell(String path, PrintWriter out, Function<Facts, List<String>> lines) {
    byte[] body = body(path);
    Facts facts = facts(body);
    if (json) {
      out.println(new String(body, StandardCharsets.UTF_8));
    } else {
      lines.apply(facts).forEach(out::println);
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
    } catch (BadRequestException e) {
      throw new CannotRunException(shownUrl() + " did not answer in JSON: " + e.getMessage());
    }
  }

  private byte[] body(String path) {
    HttpResponse<byte[]> answer;
    try {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(url.replaceAll("/+$", "") + path)).timeout(PATIENCE);
      if (tokenFile != null) {
        request.header("Authorization", "Bearer " + Files.readString(tokenFile).strip());
      }
      answer = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    } catch (IllegalArgumentException e) {
      throw new CannotRunException("--url must be an address like http://host:8080: " + shownUrl());
    } catch (IOException e) {
      throw new CannotRunException("cannot reach " + shownUrl() + ": " + reason(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CannotRunException("interrupted while asking " + shownUrl());
    }
    if (answer.statusCode() != 200) {
      throw refused(answer);
    }
    return answer.body();
  }

  private CannotRunException refused(HttpResponse<byte[]> answer) {
    String said = "";
    try {
      said = new Facts(JsonReader.read(answer.body())).text("error");
    } catch (BadRequestException e) {
      // Not one of ours; its number says enough.
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

  private static String reason(IOException e) {
    return e.getMessage() == null
        ? "nobody answers there"
        : KeyText.of(List.of(e.getMessage().split("\n", 2)).get(0));
  }
}
