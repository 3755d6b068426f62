package io.heatshield.filter;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks results that a test relies on. */
final class Results {
  private Results() {}

  static void accepted(AddResult result) {
    assertThat(result.accepted()).isTrue();
  }

  static void removed(RemoveResult result) {
    assertThat(result).isEqualTo(RemoveResult.REMOVED);
  }
}
