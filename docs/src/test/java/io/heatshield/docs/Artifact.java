package io.heatshield.docs;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A published module with compiled classes.
 *
 * @param folder its folder in the tree
 */
record Artifact(String folder) {
  private static final String PUBLISHED = "<publish.skip>false</publish.skip>";

  /** Returns all published modules that have classes. */
  static List<Artifact> all() throws IOException {
    try (Stream<Path> folders = Files.list(Tree.ROOT)) {
      return folders
          .filter(folder -> Files.isDirectory(folder.resolve("target/classes")))
          .filter(Artifact::isPublished)
          .map(folder -> new Artifact(folder.getFileName().toString()))
          .sorted((a, b) -> a.folder.compareTo(b.folder))
          .toList();
    }
  }

  /** Returns the packages that any application may use: the exported ones, or all. */
  Set<String> packages() throws IOException {
    Path descriptor = classes().resolve("module-info.class");
    if (!Files.exists(descriptor)) {
      return classNames().stream()
          .map(name -> name.substring(0, name.lastIndexOf('.')))
          .collect(Collectors.toCollection(TreeSet::new));
    }
    try (InputStream in = Files.newInputStream(descriptor)) {
      return ModuleDescriptor.read(in).exports().stream()
          .filter(exported -> !exported.isQualified())
          .map(ModuleDescriptor.Exports::source)
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** Returns the public types of these packages, nested ones included, by name. */
  List<Class<?>> types() throws IOException, ClassNotFoundException {
    Set<String> packages = packages();
    List<Class<?>> types = new ArrayList<>();
    for (String name : classNames()) {
      if (packages.contains(name.substring(0, name.lastIndexOf('.')))) {
        Class<?> type = Class.forName(name, false, Artifact.class.getClassLoader());
        if (Signatures.isAccessible(type)) {
          types.add(type);
        }
      }
    }
    return types;
  }

  private List<String> classNames() throws IOException {
    try (Stream<Path> files = Files.walk(classes())) {
      return files
          .map(file -> classes().relativize(file).toString())
          .filter(file -> file.endsWith(".class") && file.contains("/"))
          .filter(file -> !file.endsWith("package-info.class"))
          .map(file -> file.substring(0, file.length() - ".class".length()).replace('/', '.'))
          .sorted()
          .toList();
    }
  }

  private Path classes() {
    return Tree.ROOT.resolve(folder).resolve("target/classes");
  }

  private static boolean isPublished(Path folder) {
    try {
      return Files.readString(folder.resolve("pom.xml")).contains(PUBLISHED);
    } catch (IOException e) {
      throw new IllegalStateException(folder + " has no readable pom", e);
    }
  }
}
