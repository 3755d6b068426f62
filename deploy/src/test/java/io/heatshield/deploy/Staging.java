package io.heatshield.deploy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * A Maven repository in a folder that is about to be published, checked against the requirements of
 * Maven Central: complete poms, jars with sources and Javadoc, checksums and signatures.
 */
final class Staging {
  private static final String BOM = "heatshield-bom";

  private final Path folder;
  private final boolean signed;
  private final List<String> faults = new ArrayList<>();

  /**
   * Names a repository.
   *
   * @param signed whether every file must have a signature
   */
  Staging(Path folder, boolean signed) {
    this.folder = folder;
    this.signed = signed;
  }

  /** Returns the names of the artifacts in it. */
  Set<String> artifacts() throws IOException {
    var names = new TreeSet<String>();
    for (Path pom : poms()) {
      names.add(Pom.read(pom).value("artifactId"));
    }
    return names;
  }

  /** Returns all that Maven Central would reject, with the file that it is about. */
  List<String> faults() throws IOException {
    faults.clear();
    for (Path pom : poms()) {
      checkArtifact(pom);
    }
    checkBom();
    return List.copyOf(faults);
  }

  private void checkArtifact(Path pom) throws IOException {
    Pom model = Pom.read(pom);
    model.faults().forEach(fault -> add(pom, fault));
    checkFile(pom);
    if (model.value("packaging").equals("pom")) {
      return;
    }
    String name = pom.getFileName().toString();
    String base = name.substring(0, name.length() - ".pom".length());
    checkJar(pom.resolveSibling(base + ".jar"), ".class");
    checkJar(pom.resolveSibling(base + "-sources.jar"), ".java");
    checkJar(pom.resolveSibling(base + "-javadoc.jar"), "index.html");
  }

  private void checkJar(Path jar, String content) throws IOException {
    if (!Files.exists(jar)) {
      add(jar, "is missing");
      return;
    }
    checkFile(jar);
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      if (zip.stream().noneMatch(entry -> entry.getName().endsWith(content))) {
        add(jar, "has no " + content);
      }
    }
  }

  private void checkFile(Path file) throws IOException {
    checkSum(file, "md5", "MD5");
    checkSum(file, "sha1", "SHA-1");
    if (!signed) {
      return;
    }
    Path signature = file.resolveSibling(file.getFileName() + ".asc");
    if (!Files.exists(signature)) {
      add(file, "has no signature");
    } else if (!Files.readString(signature).startsWith("-----BEGIN PGP SIGNATURE-----")) {
      add(signature, "is not a signature");
    }
  }

  private void checkSum(Path file, String extension, String algorithm) throws IOException {
    Path sum = file.resolveSibling(file.getFileName() + "." + extension);
    if (!Files.exists(sum)) {
      add(file, "has no ." + extension);
    } else if (!Files.readString(sum, StandardCharsets.US_ASCII)
        .strip()
        .equals(digest(file, algorithm))) {
      add(sum, "is the checksum of something else");
    }
  }

  /** The BOM must manage exactly the artifacts beside it. */
  private void checkBom() throws IOException {
    var beside = new TreeSet<String>();
    var managed = new TreeSet<String>();
    for (Path pom : poms()) {
      Pom model = Pom.read(pom);
      if (model.value("artifactId").equals(BOM)) {
        managed.addAll(model.managed());
      } else {
        beside.add(model.value("artifactId"));
      }
    }
    if (!managed.equals(beside)) {
      faults.add(BOM + " manages " + managed + " beside " + beside);
    }
  }

  private List<Path> poms() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".pom")).sorted().toList();
    }
  }

  private void add(Path file, String fault) {
    faults.add(file.getFileName() + " " + fault);
  }

  private static String digest(Path file, String algorithm) throws IOException {
    try {
      byte[] digest = MessageDigest.getInstance(algorithm).digest(Files.readAllBytes(file));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(algorithm + " must be part of every JDK", e);
    }
  }
}
