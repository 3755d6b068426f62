package io.heatshield.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that a fixture leaves nothing behind when its JVM ends without closing it. */
class RedisFixtureExitIT {

  @Test
  void jvmEnds_fixtureRunningOrPaused_leavesNoProcessAndNoFile(@TempDir Path place)
      throws Exception {
    RedisBinary.orSkip();
    Path facts = place.resolve("facts");

    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                UnclosedFixtures.class.getName(),
                facts.toString())
            .inheritIO()
            .start();
    boolean ended = jvm.waitFor(60, TimeUnit.SECONDS);
    jvm.destroyForcibly();

    assertThat(ended).isTrue();
    assertThat(jvm.exitValue()).isZero();
    List<String> lines = Files.readAllLines(facts);
    assertThat(lines).hasSize(4);
    for (int i = 0; i < lines.size(); i += 2) {
      assertThat(ProcessHandle.of(Long.parseLong(lines.get(i)))).isEmpty();
      assertThat(Path.of(lines.get(i + 1))).doesNotExist();
    }
  }

  /** A program that starts two servers, pauses one, and closes neither. */
  static final class UnclosedFixtures {
    private UnclosedFixtures() {}

    public static void main(String[] arguments) throws Exception {
      RedisFixture running = RedisFixture.start();
      RedisFixture paused = RedisFixture.start("appendonly yes");
      paused.pause();
      Files.write(
          Path.of(arguments[0]),
          List.of(
              Long.toString(running.pid()),
              running.folder().toString(),
              Long.toString(paused.pid()),
              paused.folder().toString()));
    }
  }
}
