package io.heatshield.docs;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Runs the shell commands of a document in the checkout.
 *
 * <p>A plain {@code sh} block is a script in which every command must succeed. {@code sh serves} is
 * one command that prints an address and runs until it is stopped. {@code sh exit-1} must exit with
 * this code. {@code sh by-hand} is not run; it may only contain the commands listed here.
 */
final class ShellSnippet {
  /** Commands that would run this test again, or write outside the checkout. */
  private static final Set<String> BY_HAND =
      Set.of(
          "mvn -B -ntp verify",
          "mvn -B -ntp install -DskipTests",
          "mvn -B -ntp package -P image -DskipTests -pl deploy -am");

  /** Tools that need a daemon, a cluster or root. */
  private static final Set<String> TOOLS_BY_HAND = Set.of("docker", "helm", "kubectl", "sudo");

  private static final long DEADLINE_MINUTES = 20;
  private static final Set<Integer> STOPPED = Set.of(0, 143);

  private ShellSnippet() {}

  static void check(Snippet snippet) throws IOException, InterruptedException {
    if (snippet.marks().size() > 1) {
      throw snippet.fault("has more than one mark: " + snippet.marks());
    }
    String mark = snippet.marks().isEmpty() ? "exit-0" : snippet.marks().get(0);
    if (mark.matches("exit-\\d+")) {
      run(snippet, Integer.parseInt(mark.substring("exit-".length())));
    } else if (mark.equals("serves")) {
      serve(snippet);
    } else if (!mark.equals("by-hand")) {
      throw snippet.fault("has an unknown mark: " + mark);
    } else if (!snippet.text().lines().allMatch(ShellSnippet::isByHand)) {
      throw snippet.fault("is marked by-hand, and ShellSnippet does not list its commands");
    }
  }

  private static boolean isByHand(String line) {
    return BY_HAND.contains(line) || TOOLS_BY_HAND.contains(line.split(" ", 2)[0]);
  }

  private static void run(Snippet snippet, int expected) throws IOException, InterruptedException {
    Path output = Files.createTempFile("snippet", ".txt");
    try {
      Process process = shell("set -e\n" + snippet.text()).redirectOutput(output.toFile()).start();
      if (!process.waitFor(DEADLINE_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw snippet.fault("still runs after " + DEADLINE_MINUTES + " minutes");
      }
      if (process.exitValue() != expected) {
        throw snippet.fault(
            "exit code " + process.exitValue() + " and not " + expected + "\n" + read(output));
      }
    } finally {
      Files.deleteIfExists(output);
    }
  }

  private static void serve(Snippet snippet) throws IOException, InterruptedException {
    if (snippet.text().lines().count() != 1) {
      throw snippet.fault("serves, so it must be one command");
    }
    Process process = shell("exec " + snippet.text()).start();
    CompletableFuture<Process> deadline =
        process.onExit().orTimeout(DEADLINE_MINUTES, TimeUnit.MINUTES);
    CompletableFuture<Void> watchdog =
        deadline.handle(
            (ended, late) -> {
              process.toHandle().destroyForcibly();
              return null;
            });
    var seen = new StringBuilder();
    boolean stopped = false;
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        seen.append(line).append('\n');
        if (!stopped && line.contains("http://")) {
          stopped = true;
          // Not Process.destroy, which would also close the stream that is read here.
          process.toHandle().destroy();
        }
      }
    }
    watchdog.join();
    int code = process.waitFor();
    if (!stopped || !STOPPED.contains(code)) {
      throw snippet.fault(
          (stopped ? "stopped with exit code " + code : "ended by itself") + "\n" + seen);
    }
  }

  private static ProcessBuilder shell(String script) {
    var builder =
        new ProcessBuilder(List.of("sh", "-c", script))
            .directory(Tree.ROOT.toFile())
            .redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(Launch.ENVIRONMENT);
    builder.environment().merge("PATH", Launch.tools(), (path, ours) -> path + ':' + ours);
    return builder;
  }

  private static String read(Path output) throws IOException {
    return Files.readString(output);
  }
}
