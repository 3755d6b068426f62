package io.heatshield.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The artifacts that {@code -P release deploy} has staged. */
class StagingIT {

  @Test
  void stagedArtifacts_haveAllThatMavenCentralRequires() throws IOException {
    var staging =
        new Staging(
            Path.of(Release.property("staging.directory")),
            Boolean.parseBoolean(Release.property("staging.signed")));

    assertThat(staging.artifacts()).contains("heatshield-bom", "heatshield-core");
    assertThat(staging.faults()).isEmpty();
  }
}
