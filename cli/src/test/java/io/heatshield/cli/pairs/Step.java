package io.heatshield.cli.pairs;

import java.util.ArrayList;
import java.util.List;

/**
 * One command, or several between {@code MULTI} and {@code EXEC}: what takes place whole or not at
 * all.
 */
record Step(List<List<String>> commands, boolean isTransaction) {
  Step {
    commands = List.copyOf(commands);
  }

  /** Returns a step of one command. */
  static Step of(String... words) {
    return new Step(List.of(List.of(words)), false);
  }

  /** Returns a step of one command. */
  static Step of(List<String> words) {
    return new Step(List.of(List.copyOf(words)), false);
  }

  /** Returns what a client sends. */
  List<List<String>> wire() {
    if (!isTransaction) {
      return commands;
    }
    var wire = new ArrayList<List<String>>();
    wire.add(List.of("MULTI"));
    wire.addAll(commands);
    wire.add(List.of("EXEC"));
    return wire;
  }

  /** Runs the step on a model and returns the replies that a client gets. */
  List<String> runOn(KeyModel model) {
    return isTransaction ? model.transaction(commands) : List.of(model.run(commands.get(0)));
  }

  @Override
  public String toString() {
    String text = wire().toString();
    return text.length() <= 400 ? text : text.substring(0, 400) + "...";
  }
}
