package io.heatshield.cli.demo;

/** Shows the scenes while they run. For one thread. */
interface SceneListener {

  /** Which part of a scene runs. */
  enum Phase {
    CALM("before it"),
    UNPROTECTED("unprotected"),
    PROTECTED("protected"),
    RECOVERY("afterwards");

    private final String text;

    Phase(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** Is called when a scene begins, the first with number 1. */
  void began(Scene scene, int number, int of);

  /** Is called about once a second with what the last second measured. */
  void measured(Scene scene, Phase phase, Measure second);

  /** Is called when a scene has ended. */
  void ended(SceneResult result);
}
