package io.heatshield.cli.demo;

/** Receives the progress of scenes. For one thread. */
interface SceneListener {

  /** The phase of a scene. */
  enum Phase {
    CALM("before"),
    UNPROTECTED("unprotected"),
    PROTECTED("protected"),
    RECOVERY("after");

    private final String text;

    Phase(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** Called at the start of a scene; the first has number 1. */
  default void onStart(Scene scene, int number, int total) {}

  /** Called about once per second with the measurements of that second. */
  default void onSecond(Phase phase, Measure measure) {}

  /** Called at the end of a scene. */
  void onEnd(SceneResult result);
}
