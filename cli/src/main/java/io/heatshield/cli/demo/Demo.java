package io.heatshield.cli.demo;

import io.heatshield.server.HeatshieldServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs the scenes of a demo in rounds. */
public final class Demo {
  private static final Duration DEFAULT_LENGTH = Duration.ofSeconds(30);
  private static final int MIN_SECONDS = 8;

  private final List<Scene> scenes;
  private final Duration length;
  private final boolean once;

  private Demo(List<Scene> scenes, Duration length, boolean once) {
    this.scenes = scenes;
    this.length = length;
    this.once = once;
  }

  /**
   * Returns a demo of some scenes.
   *
   * @param seconds the total duration; scenes that would be shorter than eight seconds are skipped.
   *     Null for 30 seconds each, repeated
   */
  public static Demo of(List<Scene> scenes, @Nullable Integer seconds) {
    if (seconds == null) {
      return new Demo(scenes, DEFAULT_LENGTH, false);
    }
    int fit = Math.min(scenes.size(), Math.max(1, seconds / MIN_SECONDS));
    return new Demo(scenes.subList(0, fit), Duration.ofSeconds(seconds).dividedBy(fit), true);
  }

  List<Scene> scenes() {
    return scenes;
  }

  /** Returns the duration of a scene. */
  Duration length() {
    return length;
  }

  /**
   * Runs the scenes until the pause ends them, or once if the total duration was given.
   *
   * @param json whether to print JSON
   * @param terminal whether the output is a terminal
   */
  public void run(
      HeatshieldServer server,
      DemoStage stage,
      String token,
      PrintWriter out,
      boolean json,
      boolean terminal,
      SceneRunner.Pause pause)
      throws IOException, InterruptedException {
    var text = new TextReport(out, terminal);
    SceneListener listener = json ? new JsonReport(out) : text;
    var protection = new Protection(server.http(), token);
    try (var runner = new SceneRunner(server, stage, protection, listener, pause)) {
      boolean running = true;
      while (running) {
        for (int i = 0; running && i < scenes.size(); i++) {
          running = runner.run(scenes.get(i), i + 1, scenes.size(), length);
        }
        if (running && !json) {
          text.summary();
        }
        running &= !once;
      }
    }
  }
}
