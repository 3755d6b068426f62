package io.heatshield.cli.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Changes the mode of protections through the HTTP API. */
final class Protection {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  private final URI config;
  private final String token;

  Protection(URI http, String token) {
    this.config = http.resolve("api/v1/config");
    this.token = token;
  }

  /** Sets the mode of one protection: off, observe or enforce. */
  void mode(Scene scene, String mode) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(config)
            .timeout(TIMEOUT)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .method(
                "PATCH",
                HttpRequest.BodyPublishers.ofString(
                    "{\"" + scene.setting() + "\": \"" + mode + "\"}"))
            .build();
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(scene.setting() + " cannot be changed: " + answer.body());
    }
  }
}
