package io.heatshield.cli.demo;

import io.heatshield.runtime.json.Json;
import java.io.PrintWriter;

/** Writes each scene's numbers as one line of JSON when the scene has ended. */
final class JsonReport implements SceneListener {
  private final PrintWriter out;

  JsonReport(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void began(Scene scene, int number, int of) {}

  @Override
  public void measured(Scene scene, Phase phase, Measure second) {}

  @Override
  public void ended(SceneResult result) {
    out.println(
        Json.write(
            new View(
                result.scene().id(),
                result.scene().setting(),
                result.calm(),
                result.before(),
                result.after(),
                result.callsSaved())));
    out.flush();
  }

  private record View(
      String scene,
      String setting,
      Measure calm,
      Measure withoutProtection,
      Measure withProtection,
      long callsSaved) {}
}
