package io.heatshield.micrometer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The metrics that the server prints, which {@code MetricNamesIT} compares with a real server. */
final class ServerMetrics {
  private static final Path FILE =
      Path.of("..", "server", "src", "test", "resources", "metrics.txt");

  private ServerMetrics() {}

  /** Returns the metrics with exactly these labels: name, type, labels and help. */
  static List<String> labelled(String... labels) {
    String text = " [" + String.join(", ", labels) + "] ";
    try {
      return Files.readAllLines(FILE).stream().filter(line -> line.contains(text)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
