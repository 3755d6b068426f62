package io.heatshield.deploy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The output and the exit code of a program.
 *
 * @param code its exit code
 * @param text its output, and its errors unless they went elsewhere
 */
record Output(int code, String text) {

  /** Runs a program to its end. */
  static Output of(List<String> command) throws IOException, InterruptedException {
    return of(new ProcessBuilder(command).redirectErrorStream(true));
  }

  /** Runs a program whose errors go to those of the test. */
  static Output withoutErrors(List<String> command) throws IOException, InterruptedException {
    return of(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT));
  }

  /** Runs a program that is set up already. */
  static Output of(ProcessBuilder builder) throws IOException, InterruptedException {
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Output(process.waitFor(), text);
  }
}
