package io.heatshield.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StagingTest {
  private static final String COMPLETE =
      """
      <project>
        <modelVersion>4.0.0</modelVersion>
        <groupId>io.heatshield</groupId>
        <artifactId>heatshield-core</artifactId>
        <version>1.0</version>
        <name>Core</name>
        <description>Counts.</description>
        <url>https://example.com</url>
        <licenses>
          <license><name>Apache-2.0</name><url>https://example.com/licence</url></license>
        </licenses>
        <developers><developer><name>Jo</name></developer></developers>
        <scm>
          <connection>scm:git:https://example.com</connection>
          <developerConnection>scm:git:https://example.com</developerConnection>
          <url>https://example.com</url>
        </scm>
        <dependencies>
          <dependency>
            <groupId>org.example</groupId>
            <artifactId>example</artifactId>
            <version>1</version>
            <scope>compile</scope>
          </dependency>
        </dependencies>
      </project>
      """;

  private static final String BOM =
      COMPLETE
          .replace("heatshield-core", "heatshield-bom")
          .replace("<version>1.0</version>", "<version>1.0</version><packaging>pom</packaging>")
          .replace("<dependencies>", "<dependencyManagement><dependencies>")
          .replace("</dependencies>", "</dependencies></dependencyManagement>")
          .replace(">example<", ">heatshield-core<");

  @SuppressWarnings("NullAway.Init") // Set before each test.
  @TempDir
  Path folder;

  @BeforeEach
  void stage() throws Exception {
    write("core-1.0.pom", COMPLETE);
    write("bom-1.0.pom", BOM);
    jar("core-1.0.jar", "A.class");
    jar("core-1.0-sources.jar", "A.java");
    jar("core-1.0-javadoc.jar", "index.html");
  }

  @Test
  void faults_ofACompleteRepository_areNone() throws Exception {
    assertThat(new Staging(folder, false).faults()).isEmpty();
    assertThat(new Staging(folder, false).artifacts())
        .containsExactly("heatshield-bom", "heatshield-core");
  }

  @Test
  void faults_ofAnIncompletePom_nameEachElement() throws Exception {
    write("core-1.0.pom", COMPLETE.replaceAll("(?s)<url>.*</developers>", ""));

    assertThat(new Staging(folder, false).faults())
        .containsExactly(
            "core-1.0.pom has no url",
            "core-1.0.pom has no licenses/license/name",
            "core-1.0.pom has no licenses/license/url",
            "core-1.0.pom has no developers/developer/name");
  }

  @Test
  void faults_ofAPomForTheBuild_nameWhatUsersMustNotGet() throws Exception {
    write(
        "core-1.0.pom",
        COMPLETE
            .replace("<name>", "<parent><relativePath>..</relativePath></parent><name>")
            .replace("<version>1</version>", "<version>${example.version}</version>")
            .replace("compile", "test"));

    assertThat(new Staging(folder, false).faults())
        .containsExactly(
            "core-1.0.pom has parent",
            "core-1.0.pom has an unresolved property",
            "core-1.0.pom has a test dependency");
  }

  @Test
  void faults_ofAReleaseThatNeedsASnapshot_nameIt() throws Exception {
    write("core-1.0.pom", COMPLETE.replace("<version>1<", "<version>2-SNAPSHOT<"));

    assertThat(new Staging(folder, false).faults())
        .containsExactly("core-1.0.pom has a dependency on a snapshot");
  }

  @Test
  void faults_ofMissingOrEmptyJars_nameThem() throws Exception {
    Files.delete(folder.resolve("core-1.0-javadoc.jar"));
    jar("core-1.0-sources.jar", "README");

    assertThat(new Staging(folder, false).faults())
        .containsExactly("core-1.0-sources.jar has no .java", "core-1.0-javadoc.jar is missing");
  }

  @Test
  void faults_ofChecksums_nameThem() throws Exception {
    Files.delete(folder.resolve("core-1.0.jar.md5"));
    Files.writeString(folder.resolve("core-1.0.pom.sha1"), "00");

    assertThat(new Staging(folder, false).faults())
        .containsExactly(
            "core-1.0.pom.sha1 is the checksum of something else", "core-1.0.jar has no .md5");
  }

  @Test
  void faults_withSigning_nameFilesWithoutSignature() throws Exception {
    for (String name : new String[] {"bom-1.0.pom", "core-1.0.pom", "core-1.0.jar"}) {
      Files.writeString(folder.resolve(name + ".asc"), "-----BEGIN PGP SIGNATURE-----\n");
    }
    Files.writeString(folder.resolve("core-1.0-sources.jar.asc"), "?");

    assertThat(new Staging(folder, true).faults())
        .containsExactly(
            "core-1.0-sources.jar.asc is not a signature", "core-1.0-javadoc.jar has no signature");
  }

  @Test
  void faults_ofABomThatForgetsAnArtifact_nameBothLists() throws Exception {
    write("core-1.0.pom", COMPLETE.replace("heatshield-core", "heatshield-new"));

    assertThat(new Staging(folder, false).faults())
        .containsExactly("heatshield-bom manages [heatshield-core] beside [heatshield-new]");
  }

  private void write(String name, String text) throws Exception {
    Files.writeString(folder.resolve(name), text);
    sums(name);
  }

  private void jar(String name, String entry) throws Exception {
    try (var zip = new ZipOutputStream(Files.newOutputStream(folder.resolve(name)))) {
      zip.putNextEntry(new ZipEntry(entry));
      zip.closeEntry();
    }
    sums(name);
  }

  private void sums(String name) throws IOException, GeneralSecurityException {
    byte[] content = Files.readAllBytes(folder.resolve(name));
    Files.writeString(folder.resolve(name + ".md5"), sum("MD5", content));
    Files.writeString(folder.resolve(name + ".sha1"), sum("SHA-1", content));
  }

  private static String sum(String algorithm, byte[] content) throws GeneralSecurityException {
    return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(content));
  }
}
