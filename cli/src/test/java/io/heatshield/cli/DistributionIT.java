package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.cli.Sandbox.Outcome;
import io.heatshield.cli.Sandbox.Running;
import io.heatshield.cli.process.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The executable jar and the archive, as a user starts them. */
class DistributionIT {
  private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));
  private static final Path JAVA = JAVA_HOME.resolve("bin/java");
  private static final Path JAR = built("heatshield.jar");
  private static final Path ARCHIVE = built("heatshield.tar");
  private static final String VERSION_LINE =
      "heatshield " + System.getProperty("heatshield.version") + "\n";

  /** A launcher that has been used, with its class archive. */
  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Path usedLauncher;

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Sandbox sandbox;

  @BeforeAll
  static void useOneLauncher(@TempDir Path shared) throws Exception {
    Sandbox sandbox = new Sandbox(shared).with("JAVA_HOME", JAVA_HOME.toString());
    usedLauncher = unpack(sandbox).resolve("heatshield");
    assertThat(sandbox.run(usedLauncher, "--version").code()).isZero();
  }

  @BeforeEach
  void open() throws IOException {
    sandbox = new Sandbox(folder).with("JAVA_HOME", JAVA_HOME.toString());
  }

  @Test
  void jar_version_printsOnlyTheVersion() throws Exception {
    Outcome outcome = sandbox.run(JAVA, "-jar", JAR.toString(), "--version");

    assertThat(outcome).isEqualTo(new Outcome(0, VERSION_LINE, ""));
  }

  @Test
  void jar_opened_holdsMergedServicesLicencesAndNoSignatures() throws Exception {
    try (var jar = new JarFile(JAR.toFile())) {
      List<String> names = jar.stream().map(ZipEntry::getName).toList();

      assertThat(names)
          .doesNotHaveDuplicates()
          .contains("META-INF/heatshield/LICENSE", "META-INF/heatshield/DEPENDENCIES.md")
          .contains("META-INF/services/org.slf4j.spi.SLF4JServiceProvider")
          .noneMatch(name -> name.matches("META-INF/[^/]*\\.(SF|RSA|DSA)"))
          .noneMatch(name -> name.endsWith("module-info.class"));
    }
  }

  @Test
  void archive_unpacked_hasLauncherJarsConfigurationAndLicence() throws Exception {
    Path home = unpack(sandbox);

    Map<String, Boolean> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(home)) {
      all.forEach(
          file ->
              files.put(
                  file.getFileName().toString(),
                  Files.isRegularFile(file) && Files.isExecutable(file)));
    }

    assertThat(files)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "DEPENDENCIES.md", false,
                "LICENSE", false,
                "README.md", false,
                "conf", false,
                "heatshield", true,
                "heatshield.bat", false,
                "heatshield.service", false,
                "lib", false));
    assertThat(home.resolve("conf/heatshield.yaml")).isRegularFile();
  }

  @Test
  void launcher_ofTheUnpackedArchive_answersTheFirstAndTheSecondTime() throws Exception {
    Path launcher = unpack(sandbox).resolve("heatshield");

    Outcome first = sandbox.run(launcher, "--version");
    Outcome second = sandbox.run(launcher, "--version");

    assertThat(first).isEqualTo(new Outcome(0, VERSION_LINE, ""));
    assertThat(second).isEqualTo(first);
    assertThat(launcher.resolveSibling("cache"))
        .isDirectoryContaining(file -> file.toFile().length() > 0);
  }

  @Test
  void launcher_classArchiveOfAnotherBuild_isIgnoredSilently() throws Exception {
    Path launcher = unpack(sandbox).resolve("heatshield");
    Path cache = Files.createDirectories(launcher.resolveSibling("cache"));
    try (Stream<Path> archives = Files.list(usedLauncher.resolveSibling("cache"))) {
      Path archive = archives.findFirst().orElseThrow().getFileName();
      Files.writeString(cache.resolve(archive), "not a class archive");
    }

    Outcome outcome = sandbox.run(launcher, "--version");

    assertThat(outcome).isEqualTo(new Outcome(0, VERSION_LINE, ""));
  }

  @Test
  void launcher_wrongUsage_passesTheExitCodeOn() throws Exception {
    Outcome outcome = sandbox.run(usedLauncher, "no-such-command");

    assertThat(outcome.code()).isEqualTo(ExitCode.WRONG_USAGE);
  }

  @Test
  void serve_ofTheJar_stopsAtASignalWithExitCodeZero() throws Exception {
    Running server = sandbox.with("PORT", "0").start(JAVA, "-jar", JAR.toString(), "serve");

    assertThat(stopOnceItListens(server).code()).isZero();
  }

  @Test
  void serve_ofTheLauncher_stopsAtASignalWithExitCodeZero() throws Exception {
    Running server = sandbox.with("PORT", "0").start(usedLauncher, "serve");

    assertThat(stopOnceItListens(server).code()).isZero();
  }

  @Test
  void command_whoseReaderCloses_endsQuietly() throws Exception {
    Outcome outcome = shell("heat --help | head -n 1; heat completion | :");

    assertThat(outcome.out()).startsWith("Usage: heatshield").hasLineCount(1);
    assertThat(outcome.err()).isEmpty();
  }

  @Test
  void command_diskIsFull_failsWithTheReason() throws Exception {
    Outcome outcome = shell("heat completion >/dev/full");

    assertThat(outcome.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(outcome.err()).startsWith("heatshield: cannot write its output: ").hasLineCount(1);
  }

  private static Outcome stopOnceItListens(Running server) throws Exception {
    while (server.process().isAlive() && !Files.readString(server.out()).contains("http://")) {
      LockSupport.parkNanos(10_000_000);
    }
    server.process().destroy();
    return server.end();
  }

  private Outcome shell(String script) throws IOException, InterruptedException {
    String heat = "heat() { '" + JAVA + "' -jar '" + JAR + "' \"$@\"; }; ";
    return sandbox.run(List.of("/bin/sh", "-c", heat + script));
  }

  private static Path unpack(Sandbox sandbox) throws IOException, InterruptedException {
    Path target = Files.createDirectories(sandbox.root().resolve("un packed"));
    var command = new ArrayList<String>(List.of("/bin/sh", "-c"));
    command.add("PATH=/bin:/usr/bin; tar -xzf '" + ARCHIVE + "' -C '" + target + "'");
    assertThat(sandbox.run(command).code()).isZero();
    try (Stream<Path> unpacked = Files.list(target)) {
      List<Path> roots = unpacked.toList();
      assertThat(roots).hasSize(1);
      return roots.get(0);
    }
  }

  private static Path built(String property) {
    String path = System.getProperty(property);
    if (path == null) {
      throw new IllegalStateException(property + " must be set: run this test with Maven");
    }
    return Path.of(path);
  }
}
