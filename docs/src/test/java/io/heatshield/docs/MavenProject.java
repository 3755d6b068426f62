package io.heatshield.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A Maven project outside this build. It gets the artifacts that this build publishes from a
 * repository in a folder, and all others as any project of this user does.
 */
final class MavenProject {
  private static final String VERSION = System.getProperty("house.version");
  private static final long DEADLINE_MINUTES = 10;

  private final Path source;
  private final Path copy;
  private final Path repository;

  /**
   * Names a project.
   *
   * @param copy the folder that it is copied to and run in, as a project outside the checkout
   * @param repository where {@link #publishInto} has put the artifacts of this build
   */
  MavenProject(Path source, Path copy, Path repository) {
    this.source = source;
    this.copy = copy;
    this.repository = repository;
  }

  /** Copies the published artifacts of this build into an empty repository. */
  static void publishInto(Path repository) throws IOException {
    deleteTree(repository);
    try (Stream<Path> modules = Files.list(Tree.ROOT)) {
      for (Path module : modules.toList()) {
        Path pom = module.resolve("target/published-pom.xml");
        if (Files.exists(pom)) {
          publish("heatshield-" + module.getFileName(), module.resolve("target"), pom, repository);
        }
      }
    }
  }

  private static void publish(String name, Path target, Path pom, Path repository)
      throws IOException {
    Path folder = repository.resolve("io/heatshield").resolve(name).resolve(VERSION);
    Files.createDirectories(folder);
    Files.copy(pom, folder.resolve(name + "-" + VERSION + ".pom"));
    Path jar = target.resolve(name + "-" + VERSION + ".jar");
    if (Files.exists(jar)) {
      Files.copy(jar, folder.resolve(jar.getFileName()));
    }
  }

  /**
   * Copies the project, runs a command that begins with {@code mvn}, and returns what it printed.
   */
  String run(String command) throws IOException, InterruptedException {
    deleteTree(copy);
    copyTree(source, copy);
    Path output = copy.resolve("output.txt");
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.addAll(1, List.of("-B", "-ntp", "-gs", settings().toString()));
    // A snapshot of an earlier build must not be used, and none must stay in the user's cache.
    words.add("-Dmaven.repo.local=" + repository.resolveSibling("cache"));
    Process process =
        new ProcessBuilder(words)
            .directory(copy.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (!process.waitFor(DEADLINE_MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError(command + " still runs after " + DEADLINE_MINUTES + " minutes");
    }
    String printed = Files.readString(output);
    if (process.exitValue() != 0) {
      throw new AssertionError(
          command + " in " + source + " ended with " + process.exitValue() + "\n" + printed);
    }
    return printed;
  }

  /** Writes settings with two repositories: this build's artifacts, and the user's Maven cache. */
  private Path settings() throws IOException {
    Path settings = copy.resolve("settings.xml");
    String cache = System.getProperty("maven.repo.local");
    String repositories =
        entry("repository", "build", repository.toUri().toString())
            + entry("repository", "cache", Path.of(cache).toUri().toString());
    String plugins = entry("pluginRepository", "cache", Path.of(cache).toUri().toString());
    Files.writeString(
        settings,
        "<settings><profiles><profile><id>build</id><repositories>"
            + repositories
            + "</repositories><pluginRepositories>"
            + plugins
            + "</pluginRepositories></profile></profiles>"
            + "<activeProfiles><activeProfile>build</activeProfile></activeProfiles></settings>\n");
    return settings;
  }

  private static String entry(String element, String id, String url) {
    return "<"
        + element
        + "><id>"
        + id
        + "</id><url>"
        + url
        + "</url><releases><enabled>true</enabled><checksumPolicy>ignore</checksumPolicy></releases>"
        + "<snapshots><enabled>true</enabled><checksumPolicy>ignore</checksumPolicy></snapshots></"
        + element
        + ">";
  }

  private static void copyTree(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path relative = from.relativize(file);
        if (!relative.startsWith("target")) {
          Path target = to.resolve(relative.toString());
          Files.createDirectories(target.getParent());
          if (Files.isDirectory(file)) {
            Files.createDirectories(target);
          } else {
            Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
          }
        }
      }
    }
  }

  private static void deleteTree(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }
}
