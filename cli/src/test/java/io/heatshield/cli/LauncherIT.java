package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.cli.Sandbox.Running;
import io.heatshield.cli.Sandbox.Outcome;
import io.heatshield.cli.process.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The launcher in an unpacked distribution whose Java shows how it was called. */
class LauncherIT {
  private static final String SHOW_ARGUMENTS = "for a; do printf '<%s>\\n' \"$a\"; done";

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Sandbox sandbox;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Path launcher;

  @BeforeEach
  void unpack() throws IOException {
    sandbox = new Sandbox(folder);
    launcher = sandbox.launcherIn("a folder");
    Path lib = Files.createDirectories(launcher.resolveSibling("lib"));
    Files.createFile(lib.resolve("heatshield-cli-1.2.jar"));
    Files.createFile(lib.resolve("heatshield-core-1.2.jar"));
  }

  @Test
  void start_withoutJava_failsAndNamesTheRequirement() throws Exception {
    Outcome outcome = sandbox.run(launcher, "--version");

    assertThat(outcome.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(outcome.err()).contains("needs Java 17 or newer").contains("JAVA_HOME");
    assertThat(outcome.out()).isEmpty();
  }

  @Test
  void start_wrongJavaHome_namesIt() throws Exception {
    sandbox.with("JAVA_HOME", "/nowhere");

    Outcome outcome = sandbox.run(launcher, "--version");

    assertThat(outcome.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(outcome.err()).contains("JAVA_HOME=/nowhere: there is no /nowhere/bin/java");
  }

  @ParameterizedTest
  @CsvSource({"11.0.20", "1.8.0_382", "16"})
  void start_oldJava_failsAndNamesItsVersion(String version) throws Exception {
    Path home = sandbox.java("old", version, SHOW_ARGUMENTS);
    sandbox.with("JAVA_HOME", home.toString());

    Outcome outcome = sandbox.run(launcher, "--version");

    assertThat(outcome.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(outcome.err())
        .contains("is Java " + version + ", which is older than 17", "Set JAVA_HOME");
  }

  @Test
  void start_oldJavaHomeAndNewJavaOnThePath_usesTheNewOne() throws Exception {
    Path old = sandbox.java("old", "11.0.20", "echo old");
    Path current = sandbox.java("new", "21.0.2", "echo new");
    sandbox.with("JAVA_HOME", old.toString()).command("java", current.resolve("bin/java"));

    Outcome outcome = sandbox.run(launcher, "--version");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).isEqualTo("new\n");
    assertThat(outcome.err())
        .contains("JAVA_HOME=" + old, "is Java 11.0.20", "using Java 21.0.2 from the PATH")
        .hasLineCount(1);
  }

  @Test
  void start_javaHomeWithoutJavaAndJavaOnThePath_warnsAndStarts() throws Exception {
    Path current = sandbox.java("new", "21.0.2", "echo new");
    sandbox.with("JAVA_HOME", "/nowhere").command("java", current.resolve("bin/java"));

    Outcome outcome = sandbox.run(launcher, "--version");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).isEqualTo("new\n");
    assertThat(outcome.err())
        .contains("JAVA_HOME=/nowhere: there is no /nowhere/bin/java; using Java 21.0.2")
        .contains("Set JAVA_HOME to a JDK 17 or newer, or unset it.");
  }

  @Test
  void start_javaWithoutReleaseFile_isAskedForItsVersion() throws Exception {
    Path home =
        sandbox.java(
            "bare",
            "17",
            """
            case $1 in
              -XshowSettings:properties)
                echo '    java.home = /opt/java' >&2
                echo '    java.version = 17.0.1' >&2
                echo '    java.vm.version = 17.0.1+12 (odd one)' >&2 ;;
              *) echo started ;;
            esac\
            """);
    Files.delete(home.resolve("release"));
    sandbox.with("JAVA_HOME", home.toString());

    Outcome outcome = sandbox.run(launcher, "--version");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).isEqualTo("started\n");
  }

  @Test
  void start_anyArguments_reachTheCommandUnchanged() throws Exception {
    useJava("17.0.9", SHOW_ARGUMENTS);

    Outcome outcome = sandbox.run(launcher, "check", "a b", "", "*", "$HOME", "'\"\\", "ü\nx");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.out())
        .contains("<" + launcher.resolveSibling("lib/heatshield-cli-1.2.jar") + ">")
        .endsWith(
            "<io.heatshield.cli.Heatshield>\n<check>\n<a b>\n<>\n<*>\n<$HOME>\n<'\"\\>\n<ü\nx>\n");
  }

  @Test
  void start_moreJavaOptions_precedeTheClassPath() throws Exception {
    useJava("17.0.9", SHOW_ARGUMENTS);
    sandbox.with("HEATSHIELD_JAVA_OPTS", "-Xmx64m -Dglob=*");

    Outcome outcome = sandbox.run(launcher, "serve");

    assertThat(outcome.out()).containsSubsequence("<-Xmx64m>\n<-Dglob=*>\n", "<-cp>");
  }

  @ParameterizedTest
  @CsvSource({"17.0.9, false, false", "24, true, false", "25.0.1, true, true"})
  void start_javaOfAnAge_getsOnlyOptionsThatItKnows(
      String version, boolean unsafe, boolean aheadOfTime) throws Exception {
    useJava(version, SHOW_ARGUMENTS);

    Outcome outcome = sandbox.run(launcher, "serve");

    assertThat(outcome.out().contains("--sun-misc-unsafe-memory-access")).isEqualTo(unsafe);
    assertThat(outcome.out().contains("aot*=off")).isEqualTo(aheadOfTime);
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "2", "3", "143"})
  void start_commandEnds_passesItsExitCodeOn(int code) throws Exception {
    useJava("17.0.9", "exit " + code);

    Outcome outcome = sandbox.run(launcher, "check", "file");

    assertThat(outcome.code()).isEqualTo(code);
  }

  @Test
  void start_running_isTheJavaProcessItself() throws Exception {
    useJava("17.0.9", "case \"$*\" in *Archive*) ;; *) echo $$ ;; esac");

    Running running = sandbox.start(List.of(launcher.toString(), "serve"));
    Outcome outcome = running.end();

    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).isEqualTo(running.process().pid() + "\n");
  }

  @Test
  void start_throughLinksFromElsewhere_findsItsFolder() throws Exception {
    useJava("17.0.9", SHOW_ARGUMENTS);
    Path links = Files.createDirectories(sandbox.root().resolve("links"));
    Files.createSymbolicLink(links.resolve("relative"), Path.of("../a folder/heatshield"));
    Path link = Files.createSymbolicLink(links.resolve("heat"), links.resolve("relative"));

    Outcome outcome = sandbox.run(link, "--version");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).contains("<" + launcher.resolveSibling("lib") + "/");
  }

  @Test
  void start_calledByARelativePathThroughTheShell_findsItsFolder() throws Exception {
    useJava("17.0.9", SHOW_ARGUMENTS);

    Outcome outcome = sandbox.run(List.of("sh", "-c", "cd 'a folder' && sh heatshield --version"));

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).contains("<" + launcher.resolveSibling("lib") + "/");
  }

  @Test
  void start_firstTime_createsOneClassArchivePerJava() throws Exception {
    String archiver =
        """
        for a; do case $a in -XX:ArchiveClassesAtExit=*) echo classes >"${a#*=}" ;; esac; done
        """
            + SHOW_ARGUMENTS;
    useJava("17.0.9", archiver);
    sandbox.run(launcher, "--version");
    useJava("21.0.2", archiver);
    sandbox.run(launcher, "--version");

    Outcome again = sandbox.run(launcher, "--version");

    Path cache = launcher.resolveSibling("cache");
    assertThat(cache).isDirectoryContaining("glob:**/java-17.0.9+1.jsa");
    assertThat(again.out())
        .contains("<-XX:SharedArchiveFile=" + cache.resolve("java-21.0.2+1.jsa") + ">")
        .doesNotContain("ArchiveClassesAtExit");
  }

  @Test
  void start_javaThatCannotCreateAnArchive_startsWithoutAndTriesOnce() throws Exception {
    useJava("17.0.9", "echo \"$*\" >>'" + sandbox.root() + "/calls'");
    sandbox.run(launcher, "--version");

    sandbox.run(launcher, "--version");

    assertThat(Files.readAllLines(sandbox.root().resolve("calls")))
        .hasSize(3)
        .satisfiesOnlyOnce(call -> assertThat(call).contains("ArchiveClassesAtExit"))
        .noneMatch(call -> call.contains("SharedArchiveFile"));
  }

  @Test
  void start_rebuildAskedOfADistribution_isRefused() throws Exception {
    useJava("17.0.9", SHOW_ARGUMENTS);

    Outcome outcome = sandbox.run(launcher, "--rebuild", "serve");

    assertThat(outcome.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(outcome.err()).contains("no sources here to rebuild");
  }

  @Test
  void start_launcherWithoutItsFolder_failsWithTheReason() throws Exception {
    useJava("17.0.9", SHOW_ARGUMENTS);
    Path torn = sandbox.launcherIn("elsewhere");

    Outcome outcome = sandbox.run(torn, "--version");

    assertThat(outcome.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(outcome.err()).contains("the launcher must stay in its folder");
  }

  private void useJava(String version, String script) throws IOException {
    Path home = sandbox.java("java " + version, version, script);
    sandbox.with("JAVA_HOME", home.toString());
  }
}
