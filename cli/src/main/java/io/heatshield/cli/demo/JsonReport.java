package io.heatshield.cli.demo;

import io.heatshield.runtime.json.Json;
import java.io.PrintWriter;

/** Writes the result of each scene as one line of JSON. */
final class JsonReport implements SceneListener {
  private final PrintWriter out;

  JsonReport(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void onEnd(SceneResult result) {
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
