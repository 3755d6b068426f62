package io.heatshield.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The poms of the artifacts that applications depend on, as the build has written them. */
class PublishedPomsIT {
  /** The dependencies of each artifact; those with a question mark are optional. */
  private static final Map<String, List<String>> DEPENDENCIES =
      Map.ofEntries(
          needs("heatshield-bom"),
          needs("heatshield-core", "jspecify:compile?"),
          needs(
              "heatshield-guard",
              "caffeine:compile",
              "heatshield-core:compile",
              "jspecify:compile?"),
          needs(
              "heatshield-redis",
              "heatshield-core:compile",
              "jedis:compile",
              "jspecify:compile?",
              "slf4j-api:compile"),
          needs(
              "heatshield-limit",
              "caffeine:compile",
              "heatshield-core:compile",
              "jspecify:compile?",
              "snakeyaml-engine:compile"),
          needs(
              "heatshield-limit-redis",
              "heatshield-limit:compile",
              "heatshield-redis:compile",
              "jspecify:compile?"),
          needs(
              "heatshield-store",
              "heatshield-core:compile",
              "heatshield-guard:compile",
              "jspecify:compile?"),
          needs(
              "heatshield-contract",
              "assertj-core:compile",
              "heatshield-core:compile",
              "heatshield-limit:compile",
              "heatshield-store:compile",
              "jspecify:compile?",
              "junit-jupiter:compile"),
          needs(
              "heatshield-store-redis",
              "heatshield-redis:compile",
              "heatshield-store:compile",
              "jspecify:compile?"),
          needs(
              "heatshield-rocksdb",
              "heatshield-core:compile",
              "heatshield-guard:compile",
              "heatshield-store:compile",
              "jspecify:compile?",
              "rocksdbjni:compile",
              "slf4j-api:compile"),
          needs(
              "heatshield-micrometer",
              "heatshield-core:compile",
              "heatshield-store:compile?",
              "jspecify:compile?",
              "micrometer-core:compile"));

  private static final Pattern NAMED = Pattern.compile("`(heatshield-[a-z-]+)`");

  @Test
  void everyPublishedPom_isComplete() throws IOException {
    for (Pom pom : poms().values()) {
      assertThat(pom.faults()).as(pom.value("artifactId")).isEmpty();
    }
  }

  @Test
  void everyPublishedPom_hasTheVersionOfTheBuild() throws IOException {
    assertThat(poms().values())
        .allSatisfy(pom -> assertThat(pom.value("version")).isEqualTo(Release.version()));
  }

  @Test
  void everyPublishedPom_hasExactlyTheExpectedDependencies() throws IOException {
    var dependencies = new TreeMap<String, List<String>>();
    poms().forEach((name, pom) -> dependencies.put(name, pom.dependencies()));

    assertThat(dependencies).containsExactlyInAnyOrderEntriesOf(DEPENDENCIES);
  }

  @Test
  void bomAndCompatibilityPage_nameEveryPublishedArtifact() throws IOException {
    Map<String, Pom> poms = poms();
    String page = Files.readString(Documents.ROOT.resolve("docs/guide/compatibility.md"));
    String java = page.substring(page.indexOf("## Java"), page.indexOf("## Stored data"));

    Pom bom = Objects.requireNonNull(poms.remove("heatshield-bom"));
    Stream<String> listed =
        NAMED
            .matcher(java)
            .results()
            .map((MatchResult name) -> name.group(1))
            .filter(name -> !name.equals("heatshield-bom"));

    assertThat(bom.managed()).containsExactlyInAnyOrderElementsOf(poms.keySet());
    assertThat(listed).containsExactlyInAnyOrderElementsOf(poms.keySet());
  }

  private static Map.Entry<String, List<String>> needs(String artifact, String... dependencies) {
    return Map.entry(artifact, List.of(dependencies));
  }

  /** Returns the poms by artifact. */
  private static Map<String, Pom> poms() throws IOException {
    var poms = new TreeMap<String, Pom>();
    try (Stream<Path> modules = Files.list(Documents.ROOT)) {
      for (Path module : modules.toList()) {
        Path pom = module.resolve("target/published-pom.xml");
        if (Files.exists(pom)) {
          Pom read = Pom.read(pom);
          poms.put(read.value("artifactId"), read);
        }
      }
    }
    return poms;
  }
}
