package io.heatshield.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The systemd unit. */
class SystemdIT {
  private static final Path UNIT = Documents.DEPLOY.resolve("systemd/heatshield.service");

  @Test
  void unit_dropsEveryRightThatJavaDoesNotNeed() throws Exception {
    assertThat(Files.readAllLines(UNIT))
        .contains(
            "DynamicUser=yes",
            "NoNewPrivileges=yes",
            "CapabilityBoundingSet=",
            "ProtectSystem=strict",
            "StateDirectory=heatshield")
        .noneMatch(line -> line.startsWith("MemoryDenyWriteExecute"));
  }

  @Test
  void unit_bySystemdItself_isValid(@TempDir Path folder) throws Exception {
    Optional<Path> analyze = Documents.program("systemd-analyze");
    assumeTrue(analyze.isPresent(), "there is no systemd-analyze on this machine");
    Path unit = folder.resolve("heatshield.service");
    // The launcher is not installed here, and systemd looks for it.
    Files.writeString(
        unit,
        Files.readString(UNIT).replace("/opt/heatshield/heatshield serve", "/bin/true serve"));

    Output verify = Output.of(List.of(analyze.orElseThrow().toString(), "verify", unit.toString()));

    assertThat(verify).isEqualTo(new Output(0, ""));
  }
}
