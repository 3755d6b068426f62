package io.heatshield.config.yaml;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * An error or a warning about a configuration, with its origin.
 *
 * <p>The texts are safe to print: input is escaped, and secrets are omitted.
 *
 * @param origin where to fix it
 * @param path the setting, for example {@code detect.window}; empty if it is not about a setting
 * @param message what is wrong
 * @param hint what to do about it, or null
 */
public record Fault(Origin origin, String path, String message, @Nullable String hint) {
  static final Comparator<Fault> BY_PLACE =
      Comparator.comparing((Fault fault) -> fault.origin().kind())
          .thenComparing(fault -> fault.origin().source())
          .thenComparing(fault -> fault.origin().line())
          .thenComparing(fault -> fault.origin().column());

  /** Returns the fault as one line: {@code heatshield.yaml:12: detect.window: ...; hint}. */
  @Override
  public String toString() {
    String place =
        switch (origin.kind()) {
          case FILE, OPTION -> origin + ": ";
          case ENVIRONMENT -> "environment: " + origin.source() + ": ";
          case DEFAULT, FITTED, LIVE -> "";
        };
    boolean named = !path.isEmpty() && origin.kind() != Origin.Kind.ENVIRONMENT;
    return place + (named ? path + ": " : "") + message + (hint == null ? "" : "; " + hint);
  }
}
