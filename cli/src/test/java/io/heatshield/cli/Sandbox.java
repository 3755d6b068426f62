package io.heatshield.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A folder in which the launcher runs with only the tools that it may depend on, and with scripts
 * of the test as Java and Maven.
 */
final class Sandbox {
  /** The commands that the launcher may call besides Java and Maven. */
  private static final List<String> TOOLS =
      List.of(
          "sh",
          "basename",
          "cat",
          "cksum",
          "date",
          "dirname",
          "find",
          "head",
          "mkdir",
          "mv",
          "readlink",
          "rm",
          "sed",
          "sleep",
          "tail",
          "tr");

  private static final long DEADLINE_SECONDS = 600;

  private final Path root;
  private final Path bin;
  private final Map<String, String> environment = new HashMap<>();

  Sandbox(Path root) throws IOException {
    this.root = root.toRealPath();
    bin = Files.createDirectories(this.root.resolve("bin"));
    for (String tool : TOOLS) {
      Files.createSymbolicLink(bin.resolve(tool), toolOnPath(tool));
    }
    environment.put("PATH", bin.toString());
  }

  Path root() {
    return root;
  }

  Sandbox with(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Copies the launcher into a folder of the sandbox and returns the copy. */
  Path launcherIn(String folder) throws IOException {
    Path copy = Files.createDirectories(root.resolve(folder)).resolve("heatshield");
    Files.copy(
        Path.of(System.getProperty("house.root", "..")).resolve("heatshield"),
        copy,
        StandardCopyOption.COPY_ATTRIBUTES,
        StandardCopyOption.REPLACE_EXISTING);
    return copy;
  }

  /** Makes a JDK whose {@code java} is a script, and returns its home. */
  Path java(String folder, String version, String script) throws IOException {
    Path home = root.resolve(folder);
    script(home.resolve("bin/java"), script);
    script(home.resolve("bin/javac"), "exit 9");
    Files.writeString(
        home.resolve("release"),
        "JAVA_RUNTIME_VERSION=\"" + version + "+1\"\nJAVA_VERSION=\"" + version + "\"\n");
    return home;
  }

  /** Puts a command on the path of the sandbox. */
  void command(String name, String script) throws IOException {
    script(bin.resolve(name), script);
  }

  /** Lets a command of the sandbox be the one that the machine has under that name. */
  void command(String name, Path target) throws IOException {
    Files.createSymbolicLink(bin.resolve(name), target);
  }

  /** Starts a program whose output the test reads once it has ended. */
  Running start(List<String> command) throws IOException {
    Path out = Files.createTempFile(root, "out", ".txt");
    Path err = Files.createTempFile(root, "err", ".txt");
    var builder =
        new ProcessBuilder(command)
            .directory(root.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    return new Running(builder.start(), out, err);
  }

  Running start(Path program, String... args) throws IOException {
    var command = new ArrayList<String>();
    command.add(program.toString());
    command.addAll(List.of(args));
    return start(command);
  }

  Outcome run(Path program, String... args) throws IOException, InterruptedException {
    return start(program, args).end();
  }

  Outcome run(List<String> command) throws IOException, InterruptedException {
    return start(command).end();
  }

  private static void script(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + text + "\n", StandardCharsets.UTF_8);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static Path toolOnPath(String tool) {
    for (String folder : System.getenv("PATH").split(":", -1)) {
      Path candidate = Path.of(folder, tool);
      if (Files.isExecutable(candidate)) {
        return candidate;
      }
    }
    throw new IllegalStateException(tool + " is not on the PATH");
  }

  /** A program that runs. */
  record Running(Process process, Path out, Path err) {

    /** Waits for the end; a program that takes forever is ended and fails the test. */
    Outcome end() throws IOException, InterruptedException {
      if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException("still running after " + DEADLINE_SECONDS + " s");
      }
      return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
    }
  }

  /** The exit code and the output of a program. */
  record Outcome(int code, String out, String err) {}
}
