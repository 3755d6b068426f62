package io.heatshield.docs;

import java.util.Map;

/** How the documents' own commands are run here: no fixed port, and the build's own repository. */
final class Launch {
  static final Map<String, String> ENVIRONMENT =
      Map.of(
          "HEATSHIELD_MAVEN_OPTS",
          "-Dmaven.repo.local=" + System.getProperty("maven.repo.local", ""),
          "HOST",
          "127.0.0.1",
          "PORT",
          "0",
          "GRPC_PORT",
          "0");

  private Launch() {}
}
