package io.heatshield.docs;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Compiles the Java code of a document against the modules, with warnings as errors, and runs it.
 *
 * <p>A block is either a file with one class, which runs if it has a {@code main}, or a list of
 * statements after optional imports, which always runs.
 */
final class JavaSnippet {
  private static final Pattern TYPE =
      Pattern.compile("(?m)^(?:public )?(?:final )?(?:class|record|interface|enum) (\\w+)");

  private JavaSnippet() {}

  static void check(Snippet snippet) throws IOException, ReflectiveOperationException {
    if (!snippet.marks().isEmpty()) {
      throw snippet.fault("has an unknown mark: " + snippet.marks());
    }
    Matcher type = TYPE.matcher(snippet.text());
    String name = type.find() ? type.group(1) : "Statements";
    String source = name.equals("Statements") ? wrap(snippet.text()) : snippet.text();
    Path classes = Files.createTempDirectory("snippet");
    try {
      compile(snippet, name, source, classes);
      run(snippet, name, classes);
    } finally {
      delete(classes);
    }
  }

  private static String wrap(String text) {
    String imports = lines(text, true);
    return imports
        + "\nclass Statements {\n  public static void main(String[] args) throws Exception {\n"
        + lines(text, false)
        + "\n  }\n}\n";
  }

  private static String lines(String text, boolean imports) {
    return text.lines()
        .filter(line -> line.startsWith("import ") == imports)
        .collect(Collectors.joining("\n"));
  }

  private static void compile(Snippet snippet, String name, String source, Path classes) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    var messages = new StringWriter();
    List<String> options =
        List.of(
            "--release",
            "17",
            "-Xlint:all",
            "-Werror",
            "-proc:none",
            "-d",
            classes.toString(),
            "-classpath",
            System.getProperty("java.class.path"));
    JavaFileObject file =
        new SimpleJavaFileObject(
            URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    if (!compiler.getTask(messages, null, null, options, null, List.of(file)).call()) {
      throw snippet.fault("does not compile\n" + messages);
    }
  }

  private static void run(Snippet snippet, String name, Path classes)
      throws IOException, ReflectiveOperationException {
    try (var loader =
        new URLClassLoader(
            new URL[] {classes.toUri().toURL()}, JavaSnippet.class.getClassLoader())) {
      var main = loader.loadClass(name).getDeclaredMethod("main", String[].class);
      main.setAccessible(true);
      main.invoke(null, (Object) new String[0]);
    } catch (NoSuchMethodException e) {
      if (name.equals("Statements")) {
        throw e;
      }
    } catch (InvocationTargetException e) {
      throw (AssertionError) snippet.fault("threw " + e.getCause()).initCause(e.getCause());
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      files
          .sorted(Comparator.reverseOrder())
          .forEach(
              file -> {
                try {
                  Files.delete(file);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }
}
