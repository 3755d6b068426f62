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

/** The launcher in a checkout with a script as Maven that creates the files of a build. */
class CheckoutIT {
  private static final String BUILD =
      """
      made=cli/target/launch/heatshield-cli/home/heatshield-1
      mkdir -p $made/lib
      echo "[INFO] Building Heatshield CLI 1        [2/3]"
      echo jar >$made/lib/heatshield-cli-1.jar
      echo "$*" >>builds\
      """;

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Sandbox sandbox;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Path launcher;

  @BeforeEach
  void checkOut() throws IOException {
    sandbox = new Sandbox(folder);
    launcher = sandbox.launcherIn("check out");
    Files.createFile(Files.createDirectories(launcher.resolveSibling("cli")).resolve("pom.xml"));
    Path java =
        sandbox.java("jdk", "17.0.9", "case $* in *ArchiveClasses*) ;; *) echo ran ;; esac");
    sandbox.with("JAVA_HOME", java.toString());
  }

  @Test
  void start_firstTime_buildsWithProgressThenRuns() throws Exception {
    sandbox.command("mvn", BUILD + "\nsleep 1");

    Outcome outcome = sandbox.run(launcher, "--version");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).isEqualTo("ran\n");
    assertThat(outcome.err())
        .contains("heatshield: building, on first use only: module 2 of 3 (Heatshield CLI 1)\n")
        .contains("heatshield: built in ")
        .doesNotContain("\r");
    assertThat(builds()).containsExactly("-B -ntp -Dlaunch package -pl cli -am");
  }

  @Test
  void start_secondTime_onlyRuns() throws Exception {
    sandbox.command("mvn", BUILD);
    sandbox.run(launcher, "--version");

    Outcome outcome = sandbox.run(launcher, "--version");

    assertThat(outcome).isEqualTo(new Outcome(0, "ran\n", ""));
    assertThat(builds()).hasSize(1);
  }

  @Test
  void start_rebuildAnywhereAmongTheArguments_buildsAgain() throws Exception {
    sandbox.command("mvn", BUILD);
    sandbox.run(launcher, "--version");

    Outcome outcome = sandbox.run(launcher, "serve", "--rebuild");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).isEqualTo("ran\n");
    assertThat(builds()).hasSize(2);
  }

  @Test
  void start_rebuildAlone_buildsAndRunsNothing() throws Exception {
    sandbox.command("mvn", BUILD);

    Outcome outcome = sandbox.run(launcher, "--rebuild");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).isEmpty();
    assertThat(builds()).hasSize(1);
  }

  @Test
  void start_moreMavenOptions_reachTheBuild() throws Exception {
    sandbox.command("mvn", BUILD);
    sandbox.with("HEATSHIELD_MAVEN_OPTS", "--offline -Dx=y");

    sandbox.run(launcher, "--version");

    assertThat(builds()).singleElement().asString().endsWith(" --offline -Dx=y");
  }

  @Test
  void start_noMaven_failsAndNamesTheRequirement() throws Exception {
    Outcome outcome = sandbox.run(launcher, "--version");

    assertThat(outcome.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(outcome.err()).contains("needs Maven 3.8 or newer");
  }

  @Test
  void start_javaWithoutCompiler_asksForAJdk() throws Exception {
    sandbox.command("mvn", BUILD);
    Files.delete(sandbox.root().resolve("jdk/bin/javac"));

    Outcome outcome = sandbox.run(launcher, "--version");

    assertThat(outcome.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(outcome.err()).contains("needs a JDK").contains("bin/javac");
  }

  @Test
  void start_buildFails_showsTheEndOfTheLogAndBuildsAgainNextTime() throws Exception {
    sandbox.command("mvn", BUILD + "\necho '[ERROR] the roof is off'\nexit 1");
    Outcome failed = sandbox.run(launcher, "--version");
    sandbox.command("mvn", BUILD);

    Outcome again = sandbox.run(launcher, "--version");

    assertThat(failed.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(failed.out()).isEmpty();
    assertThat(failed.err()).contains("the build failed after").contains("the roof is off");
    assertThat(again.out()).isEqualTo("ran\n");
    assertThat(builds()).hasSize(2);
  }

  @Test
  void start_twiceAtOnce_buildsOnceAndBothRun() throws Exception {
    sandbox.command("mvn", "until [ -e go ]; do sleep 0.1; done\n" + BUILD);
    Running first = sandbox.start(List.of(launcher.toString(), "--version"));
    Running second = sandbox.start(List.of(launcher.toString(), "--version"));
    while (Files.readString(first.err()).lines().noneMatch(line -> line.contains("waiting for"))
        && Files.readString(second.err()).lines().noneMatch(line -> line.contains("waiting for"))) {
      Thread.onSpinWait();
    }

    Files.createFile(launcher.resolveSibling("go"));

    assertThat(first.end().out()).isEqualTo("ran\n");
    assertThat(second.end().out()).isEqualTo("ran\n");
    assertThat(builds()).hasSize(1);
    assertThat(launcher.resolveSibling("cli/target/launch.lock")).doesNotExist();
  }

  @Test
  void start_lockOfADeadProcess_isTakenOver() throws Exception {
    sandbox.command("mvn", BUILD);
    Running gone = sandbox.start(List.of("sh", "-c", "exit 0"));
    gone.end();
    Path lock = Files.createDirectories(launcher.resolveSibling("cli/target/launch.lock"));
    Files.writeString(lock.resolve("pid"), gone.process().pid() + "\n");

    Outcome outcome = sandbox.run(launcher, "--version");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).isEqualTo("ran\n");
    assertThat(lock).doesNotExist();
  }

  @Test
  void start_stoppedDuringTheBuild_endsMavenAndLeavesNoLock() throws Exception {
    sandbox.command("mvn", "echo $$ >mvn.pid\nexec sleep 1000");
    Running running = sandbox.start(List.of(launcher.toString(), "--version"));
    Path pid = launcher.resolveSibling("mvn.pid");
    while (!Files.exists(pid) || Files.size(pid) == 0) {
      Thread.onSpinWait();
    }
    ProcessHandle maven =
        ProcessHandle.of(Long.parseLong(Files.readString(pid).trim())).orElseThrow();

    running.process().destroy();
    Outcome outcome = running.end();

    assertThat(outcome.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(outcome.err()).contains("the build was stopped");
    assertThat(maven.onExit().get(30, java.util.concurrent.TimeUnit.SECONDS).isAlive()).isFalse();
    assertThat(launcher.resolveSibling("cli/target/launch.lock")).doesNotExist();
  }

  private List<String> builds() throws IOException {
    return Files.readAllLines(launcher.resolveSibling("builds"));
  }
}
