package io.heatshield.bench.resp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One run of redis-benchmark with 50 clients, and the requests per second that it prints. */
final class RedisBenchmarkRun {
  private RedisBenchmarkRun() {}

  /**
   * Returns the requests per second, by test.
   *
   * @param keys the number of keys to draw from; 0 for a single key
   */
  static Map<String, Double> of(int port, int requests, int pipeline, int keys)
      throws IOException, InterruptedException {
    var command =
        new ArrayList<>(
            List.of(
                "redis-benchmark",
                "-p",
                Integer.toString(port),
                "-t",
                "set,get",
                "-c",
                "50",
                "-n",
                Integer.toString(requests),
                "-P",
                Integer.toString(pipeline),
                "--csv"));
    if (keys > 0) {
      command.addAll(List.of("-r", Integer.toString(keys)));
    }
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("redis-benchmark failed: " + text);
    }
    var rates = new HashMap<String, Double>();
    for (String line : text.split("\n", -1)) {
      String[] cells = line.replace("\"", "").split(",", -1);
      if (cells.length > 1 && !cells[0].equals("test")) {
        rates.put(cells[0], Double.valueOf(cells[1]));
      }
    }
    if (!rates.keySet().containsAll(List.of("GET", "SET"))) {
      throw new IOException("redis-benchmark printed no rates: " + text);
    }
    return rates;
  }
}
