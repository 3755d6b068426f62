package io.heatshield.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks rules that a compiler cannot check: dependencies, names and package descriptions. */
class HouseRulesTest {

  /** Modules that may use everything; no module uses them, and they are never published. */
  private static final Set<String> OUTSIDE = Set.of("deploy", "docs", "stress", "bench");

  /** Modules of generated code; only the dependency rule applies to them. */
  private static final Set<String> GENERATED = Set.of("envoy");

  private static final Set<String> VIEWS =
      Set.of("byteArrayViewVarHandle", "byteBufferViewVarHandle");

  private static final Set<String> PLAIN_ACCESS = Set.of("get", "set");

  private static final Pattern TEST_NAME =
      Pattern.compile(".*(Test|PropertyTest|FuzzTest|IT|Contract|LincheckTest|Stress|Benchmark)");

  private static final Pattern VAGUE_PACKAGE =
      Pattern.compile(".*\\.(util|utils|common|impl|helper|helpers|manager|managers)(\\..*)?");

  @Test
  void everyModule_usesOnlyWhatTheMapSays() throws IOException {
    Map<String, String> homeOf = homes();
    Map<String, Set<String>> mayUse = Modules.uses();

    List<String> wrong =
        Tree.mainClasses().entrySet().stream()
            .filter(module -> !OUTSIDE.contains(module.getKey()))
            .flatMap(module -> edgesAgainstDirection(module, mayUse, homeOf))
            .distinct()
            .sorted()
            .toList();

    assertThat(homeOf).isNotEmpty();
    assertThat(wrong).isEmpty();
  }

  @Test
  void core_usesOnlyTheJdkAndAnnotations() {
    JavaClasses core = Tree.mainClasses().getOrDefault("core", null);

    assertThat(core).isNotNull();
    assertThat(
            core.stream()
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .map(Dependency::getTargetClass)
                .map(type -> type.getBaseComponentType())
                .filter(type -> !type.isPrimitive())
                .map(JavaClass::getPackageName)
                .filter(name -> !name.matches("(java|io\\.heatshield|org\\.jspecify)\\..*"))
                .distinct())
        .isEmpty();
  }

  @Test
  void core_startsNoThreadAndReadsNoWallClock() {
    Set<String> banned =
        Set.of(
            "java.lang.Thread.start",
            "java.lang.System.currentTimeMillis",
            "java.time.Clock.systemUTC",
            "java.time.Instant.now");

    Stream<String> calls =
        Tree.mainClasses().entrySet().stream()
            .filter(module -> module.getKey().equals("core"))
            .flatMap(module -> module.getValue().stream())
            .flatMap(type -> type.getAccessesFromSelf().stream())
            .map(access -> access.getTargetOwner().getName() + "." + access.getName())
            .filter(banned::contains);

    assertThat(calls).isEmpty();
  }

  /**
   * JDK 23 removed the atomic access modes of byte array views and heap buffer views; only plain
   * reads and writes remain.
   */
  @Test
  void everyClassThatViewsBytesAsNumbers_readsAndWritesThemPlainly() {
    Stream<String> atomic =
        Tree.offenders(
            Tree.mainClasses(),
            type ->
                calls(type, MethodHandles.class, VIEWS::contains)
                    && calls(type, VarHandle.class, name -> !PLAIN_ACCESS.contains(name)));

    assertThat(atomic).isEmpty();
  }

  @Test
  void everyTestClass_hasANameThatTheBuildRuns() {
    Stream<String> unnamed =
        Tree.offenders(
            Tree.testClasses(),
            type ->
                type.getMethods().stream().anyMatch(HouseRulesTest::isTest)
                    && !TEST_NAME.matcher(outermost(type).getSimpleName()).matches());

    assertThat(unnamed).isEmpty();
  }

  @Test
  void everyPackage_saysItsPurposeAndIsNullMarked() throws IOException {
    try (Stream<Path> files = Files.walk(Tree.ROOT)) {
      List<Path> silent =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .map(Tree.ROOT::relativize)
              .filter(file -> file.getNameCount() > 3)
              .filter(file -> file.subpath(1, 4).equals(Path.of("src/main/java")))
              .filter(file -> !file.endsWith("module-info.java"))
              .map(file -> Tree.ROOT.resolve(file).getParent())
              .distinct()
              .filter(folder -> !describesItself(folder.resolve("package-info.java")))
              .toList();

      assertThat(silent).isEmpty();
    }
  }

  @Test
  void noPackage_hasAVagueName() {
    Stream<String> vague =
        Tree.offenders(written(), type -> VAGUE_PACKAGE.matcher(type.getPackageName()).matches());

    assertThat(vague).isEmpty();
  }

  @Test
  void everyClass_isFinalOrMadeToBeExtended() {
    Stream<String> open =
        Tree.offenders(
            written(),
            type ->
                !type.isInterface()
                    && !type.isEnum()
                    && !type.isAnonymousClass()
                    && !type.getModifiers().contains(JavaModifier.FINAL)
                    && !type.getModifiers().contains(JavaModifier.ABSTRACT)
                    && type.getAllSubclasses().isEmpty());

    assertThat(open).isEmpty();
  }

  private static boolean calls(JavaClass type, Class<?> owner, Predicate<String> name) {
    return type.getMethodCallsFromSelf().stream()
        .anyMatch(call -> call.getTargetOwner().isEquivalentTo(owner) && name.test(call.getName()));
  }

  private static Map<String, JavaClasses> written() {
    var written = new HashMap<>(Tree.mainClasses());
    written.keySet().removeAll(GENERATED);
    return written;
  }

  private static Map<String, String> homes() {
    var homes = new HashMap<String, String>();
    Tree.mainClasses()
        .forEach((module, classes) -> classes.forEach(type -> homes.put(type.getName(), module)));
    return homes;
  }

  private static Stream<String> edgesAgainstDirection(
      Map.Entry<String, JavaClasses> module,
      Map<String, Set<String>> mayUse,
      Map<String, String> homeOf) {
    String name = module.getKey();
    Set<String> allowed = mayUse.getOrDefault(name, Set.of());
    return module.getValue().stream()
        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
        .filter(
            edge -> {
              String home = homeOf.get(edge.getTargetClass().getBaseComponentType().getName());
              return home != null && !home.equals(name) && !allowed.contains(home);
            })
        .map(edge -> name + ": " + edge.getDescription());
  }

  private static boolean isTest(JavaMethod method) {
    return method.getAnnotations().stream()
        .map(annotation -> annotation.getRawType().getSimpleName())
        .anyMatch(
            name ->
                name.endsWith("Test")
                    || name.equals("TestFactory")
                    || name.equals("TestTemplate")
                    || name.equals("Property")
                    || name.equals("Example")
                    || name.equals("Benchmark")
                    || name.equals("Actor"));
  }

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(HouseRulesTest::outermost).orElse(type);
  }

  private static boolean describesItself(Path packageInfo) {
    try {
      if (!Files.exists(packageInfo)) {
        return false;
      }
      String text = Files.readString(packageInfo);
      return text.startsWith("/**") && text.contains("@NullMarked");
    } catch (IOException e) {
      throw new IllegalStateException(packageInfo + " cannot be read", e);
    }
  }
}
