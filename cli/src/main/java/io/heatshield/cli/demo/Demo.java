package io.heatshield.cli.demo;

import io.heatshield.server.HeatshieldServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The scenes of one demo, in rounds. */
public final class Demo {
  private static final Duration USUAL_LENGTH = Duration.ofSeconds(30);
  private static final int SHORTEST_SECONDS = 8;

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
   * @param seconds how long all of them may take together: those that would be shorter than eight
   *     seconds are left out; null for half a minute each, again and again
   */
  public static Demo of(List<Scene> scenes, @Nullable Integer seconds) {
    if (seconds == null) {
      return new Demo(scenes, USUAL_LENGTH, false);
    }
    int fit = Math.min(scenes.size(), Math.max(1, seconds / SHORTEST_SECONDS));
    return new Demo(scenes.subList(0, fit), Duration.ofSeconds(seconds).dividedBy(fit), true);
  }

  List<Scene> scenes() {
    return scenes;
  }

  /** Returns how long each scene takes. */
  Duration length() {
    return length;
  }

  /**
   * Runs the scenes until the pause ends them or, if their time was given, once.
   *
   * @param json whether the numbers are written as JSON
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
      boolean goesOn = true;
      while (goesOn) {
        for (int i = 0; goesOn && i < scenes.size(); i++) {
          goesOn = runner.run(scenes.get(i), i + 1, scenes.size(), length);
        }
        if (goesOn && !json) {
          text.summary();
        }
        goesOn &= !once;
      }
    }
  }
}
