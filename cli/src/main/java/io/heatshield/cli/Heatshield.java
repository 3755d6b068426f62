package io.heatshield.cli;

import io.heatshield.server.Version;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code heatshield} command. */
@Command(
    name = "heatshield",
    description = "Keeps hot keys from hurting a shared store.",
    mixinStandardHelpOptions = true,
    versionProvider = Heatshield.VersionLine.class)
public final class Heatshield {

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Heatshield()).execute(args));
  }

  static final class VersionLine implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"heatshield " + Version.current()};
    }
  }
}
