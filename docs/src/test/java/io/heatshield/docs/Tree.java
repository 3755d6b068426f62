package io.heatshield.docs;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The modules of the checkout and their compiled classes. */
final class Tree {
  static final Path ROOT = root();

  private Tree() {}

  /** Returns the main classes of every module, by folder. */
  static Map<String, JavaClasses> mainClasses() {
    return Compiled.MAIN;
  }

  /** Returns the test classes of every module, by folder. */
  static Map<String, JavaClasses> testClasses() {
    return Compiled.TESTS;
  }

  /** Returns the names of the classes that break a rule. */
  static Stream<String> offenders(Map<String, JavaClasses> classes, Predicate<JavaClass> breaks) {
    return classes.entrySet().stream()
        .flatMap(
            module ->
                module.getValue().stream()
                    .filter(breaks)
                    .map(type -> module.getKey() + ": " + type.getName()));
  }

  private static Map<String, JavaClasses> compiled(String folder) {
    var classes = new TreeMap<String, JavaClasses>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      modules
          .filter(module -> Files.exists(module.resolve("pom.xml")))
          .map(module -> module.resolve(folder))
          .filter(Files::isDirectory)
          .forEach(
              path ->
                  classes.put(
                      ROOT.relativize(path).getName(0).toString(),
                      new ClassFileImporter().importPath(path)));
    } catch (IOException e) {
      throw new IllegalStateException("the tree cannot be read", e);
    }
    return classes;
  }

  private static Path root() {
    String root = System.getProperty("house.root");
    if (root == null) {
      throw new IllegalStateException("house.root must be set: run this test with Maven");
    }
    return Path.of(root);
  }

  /** Loaded lazily: reading all classes takes seconds. */
  private static final class Compiled {
    static final Map<String, JavaClasses> MAIN = compiled("target/classes");
    static final Map<String, JavaClasses> TESTS = compiled("target/test-classes");
  }
}
