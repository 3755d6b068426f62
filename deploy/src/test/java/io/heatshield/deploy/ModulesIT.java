package io.heatshield.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs an application that is a Java module against the built jars. */
class ModulesIT {
  private static final String DESCRIPTOR =
      """
      module app {
        requires io.heatshield.limit.redis;
        requires io.heatshield.micrometer;
        requires io.heatshield.rocksdb;
        requires io.heatshield.store;
        requires io.heatshield.store.redis;
      }
      """;

  /** Libraries that the artifacts need, by the begin of the names of their jars. */
  private static final List<String> LIBRARIES =
      List.of(
          "caffeine-",
          "jedis-",
          "micrometer-commons-",
          "micrometer-core-",
          "micrometer-observation-",
          "rocksdbjni-",
          "slf4j-api-",
          "snakeyaml-engine-");

  @SuppressWarnings("NullAway.Init") // Set before each test.
  @TempDir
  Path folder;

  @Test
  void application_ofExportedPackages_compilesAndRuns() throws Exception {
    String program =
        """
        package app;

        import io.heatshield.detect.HotKeyDetector;
        import io.heatshield.limit.redis.RedisCounters;
        import io.heatshield.micrometer.HeatshieldMetrics;
        import io.heatshield.redis.Redis;
        import io.heatshield.rocksdb.RocksEngine;
        import io.heatshield.rocksdb.RocksOptions;
        import io.heatshield.store.GuardedStore;
        import io.heatshield.store.redis.RedisEngine;
        import java.nio.file.Path;
        import java.util.List;

        public final class App {
          private App() {}

          public static void main(String[] arguments) throws Exception {
            List<Class<?>> types =
                List.of(
                    HotKeyDetector.class,
                    RedisCounters.class,
                    HeatshieldMetrics.class,
                    Redis.class,
                    RocksEngine.class,
                    GuardedStore.class,
                    RedisEngine.class);
            for (Class<?> type : types) {
              Class.forName(type.getName()); // Runs its initializers, which read scripts.
              System.out.println(type.getModule().getName());
            }
            byte[] bytes = {'k'};
            RocksEngine engine = RocksEngine.open(RocksOptions.in(Path.of(arguments[0])));
            try (GuardedStore store = GuardedStore.over(engine).build()) {
              store.put(bytes, bytes).toCompletableFuture().join();
              System.out.println(store.get(bytes).toCompletableFuture().join().text());
            }
          }
        }
        """;

    List<String> errors = compile(program);
    Output run = run();

    assertThat(errors).isEmpty();
    assertThat(run.code()).as(run.text()).isZero();
    assertThat(run.text().lines().filter(line -> !line.startsWith("SLF4J")))
        .containsExactly(
            "io.heatshield.core",
            "io.heatshield.limit.redis",
            "io.heatshield.micrometer",
            "io.heatshield.redis",
            "io.heatshield.rocksdb",
            "io.heatshield.store",
            "io.heatshield.store.redis",
            "k");
  }

  @Test
  void application_ofAnInternalPackage_doesNotCompile() throws IOException {
    List<String> internal =
        modules().stream()
            .filter(module -> module.name().startsWith("io.heatshield."))
            .flatMap(ModulesIT::hidden)
            .toList();
    String imports =
        internal.stream().map(name -> "import " + name + ".*;\n").collect(Collectors.joining());

    List<String> errors = compile("package app;\n" + imports + "public final class App {}\n");

    assertThat(internal).contains("io.heatshield.fleet", "io.heatshield.redis.connection");
    assertThat(errors).hasSameSizeAs(internal);
    assertThat(errors).allMatch(error -> error.contains("is not visible"));
  }

  @Test
  void everyJar_hasAModuleNameOfItsOwn() throws IOException {
    List<Path> jars = jars();

    assertThat(jars).hasSizeGreaterThan(8);
    for (Path jar : jars) {
      ModuleDescriptor module = ModuleFinder.of(jar).findAll().iterator().next().descriptor();
      String file = jar.getFileName().toString().replace("-" + Release.version() + ".jar", "");
      assertThat(module.name()).isEqualTo("io." + file.replace('-', '.'));
    }
  }

  /** Returns the packages that applications cannot use. */
  private static Stream<String> hidden(ModuleDescriptor module) {
    Set<String> exported =
        module.exports().stream()
            .filter(export -> !export.isQualified())
            .map(ModuleDescriptor.Exports::source)
            .collect(Collectors.toSet());
    return module.isAutomatic()
        ? Stream.empty()
        : module.packages().stream().filter(name -> !exported.contains(name)).sorted();
  }

  private List<String> compile(String program) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    var log = new ArrayList<String>();
    compiler
        .getTask(
            new StringWriter(),
            null,
            diagnostic -> log.add(diagnostic.getKind() + " " + diagnostic.getMessage(null)),
            List.of("-p", path(), "-d", folder.resolve("app").toString(), "-Xmaxerrs", "1000"),
            null,
            List.of(new Source("module-info", DESCRIPTOR), new Source("app/App", program)))
        .call();
    return log.stream().filter(message -> message.startsWith("ERROR")).toList();
  }

  private Output run() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String path = path() + File.pathSeparator + folder.resolve("app");
    String data = folder.resolve("data").toString();
    return Output.withoutErrors(List.of(java, "-p", path, "-m", "app/app.App", data));
  }

  private static Set<ModuleDescriptor> modules() throws IOException {
    return ModuleFinder.of(jars().toArray(new Path[0])).findAll().stream()
        .map(ModuleReference::descriptor)
        .collect(Collectors.toSet());
  }

  private static String path() throws IOException {
    List<Path> libraries =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(Path::of)
            .filter(jar -> LIBRARIES.stream().anyMatch(jar.getFileName().toString()::startsWith))
            .toList();
    assertThat(libraries).hasSameSizeAs(LIBRARIES);
    return Stream.concat(jars().stream(), libraries.stream())
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Returns the jars of the published modules. */
  private static List<Path> jars() throws IOException {
    var jars = new ArrayList<Path>();
    try (Stream<Path> modules = Files.list(Documents.ROOT)) {
      for (Path module : modules.sorted().toList()) {
        String name = "heatshield-" + module.getFileName() + "-" + Release.version() + ".jar";
        Path jar = module.resolve("target").resolve(name);
        if (Files.exists(module.resolve("target/published-pom.xml")) && Files.exists(jar)) {
          jars.add(jar);
        }
      }
    }
    return jars;
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String name, String text) {
      super(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
