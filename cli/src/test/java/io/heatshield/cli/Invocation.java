package io.heatshield.cli;

import io.heatshield.cli.process.StopSignal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/**
 * One command line, run inside the test and under an empty environment: its exit code and what it
 * wrote.
 */
record Invocation(int code, String out, String err) {

  static Invocation of(String... args) {
    return of(new StopSignal(), args);
  }

  static Invocation of(StopSignal signal, String... args) {
    var out = new StringWriter();
    var err = new StringWriter();
    int code =
        Commands.run(
            new PrintWriter(out, true), new PrintWriter(err, true), Map.of(), signal, args);
    return new Invocation(code, out.toString(), err.toString());
  }
}
