package io.heatshield.deploy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** A published pom. */
final class Pom {
  /** The elements that must not be empty, as paths below {@code project}. */
  private static final List<String> REQUIRED =
      List.of(
          "modelVersion",
          "groupId",
          "artifactId",
          "version",
          "name",
          "description",
          "url",
          "licenses/license/name",
          "licenses/license/url",
          "developers/developer/name",
          "scm/connection",
          "scm/developerConnection",
          "scm/url");

  /** Elements that only the build needs, or that make users download from elsewhere. */
  private static final List<String> UNWANTED =
      List.of(
          "parent",
          "modules",
          "build",
          "profiles",
          "properties",
          "repositories",
          "pluginRepositories",
          "distributionManagement",
          "dependencies/dependency/systemPath");

  private static final XPath XPATH = XPathFactory.newInstance().newXPath();

  private final Document document;

  private Pom(Document document) {
    this.document = document;
  }

  static Pom read(Path file) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      return new Pom(factory.newDocumentBuilder().parse(file.toFile()));
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(file + " is not a pom", e);
    }
  }

  /** Returns the text of an element, by its path below {@code project}; {@code jar} is no text. */
  String value(String path) {
    List<String> found = values(path);
    String absent = path.equals("packaging") ? "jar" : "";
    return found.isEmpty() ? absent : found.get(0);
  }

  /** Returns the Heatshield artifacts that this pom manages. */
  List<String> managed() {
    return values("dependencyManagement/dependencies/dependency/artifactId");
  }

  /** Returns the dependencies, each as {@code artifactId:scope}, with {@code ?} if optional. */
  List<String> dependencies() {
    List<String> artifacts = values("dependencies/dependency/artifactId");
    return IntStream.rangeClosed(1, artifacts.size())
        .mapToObj(
            i -> {
              String at = "dependencies/dependency[" + i + "]/";
              String scope = value(at + "scope");
              String optional = value(at + "optional").equals("true") ? "?" : "";
              return artifacts.get(i - 1) + ":" + (scope.isEmpty() ? "compile" : scope) + optional;
            })
        .sorted()
        .toList();
  }

  /** Returns what is missing, and what a published pom must not have. */
  List<String> faults() {
    var faults = new ArrayList<String>();
    for (String path : REQUIRED) {
      if (value(path).isEmpty()) {
        faults.add("has no " + path);
      }
    }
    for (String path : UNWANTED) {
      if (!values(path).isEmpty()) {
        faults.add("has " + path);
      }
    }
    if (document.getDocumentElement().getTextContent().contains("${")) {
      faults.add("has an unresolved property");
    }
    if (dependencies().stream().anyMatch(dependency -> dependency.contains(":test"))) {
      faults.add("has a test dependency");
    }
    int count = dependencies().size();
    List<String> versions = values("dependencies/dependency/version");
    if (versions.size() != count) {
      faults.add("has " + count + " dependencies, but " + versions.size() + " versions");
    }
    boolean isRelease = !value("version").endsWith("-SNAPSHOT");
    if (isRelease && versions.stream().anyMatch(version -> version.endsWith("-SNAPSHOT"))) {
      faults.add("has a dependency on a snapshot");
    }
    return faults;
  }

  private List<String> values(String path) {
    try {
      NodeList nodes =
          (NodeList) XPATH.evaluate("/project/" + path, document, XPathConstants.NODESET);
      return IntStream.range(0, nodes.getLength())
          .mapToObj(i -> Objects.requireNonNullElse(nodes.item(i).getTextContent(), "").strip())
          .toList();
    } catch (XPathExpressionException e) {
      throw new IllegalArgumentException("path must be a path of element names: " + path, e);
    }
  }
}
