package io.heatshield.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ConfigLoaderPropertyTest {

  @Property(tries = 300)
  void load_anyBytes_isSettingsOrFaults(@ForAll byte[] bytes) {
    assertSound(new ConfigLoader(Map.of()).load("f", bytes));
  }

  @Property(tries = 500)
  void load_anyTokensOfYaml_isSettingsOrFaults(@ForAll("tokens") List<String> tokens) {
    assertSound(Loading.load(String.join("", tokens), Map.of("A", "b")));
  }

  @Property(tries = 300)
  void load_theExampleWithALineChanged_isSettingsOrFaults(
      @ForAll("lines") int line, @ForAll("tokens") List<String> tokens) {
    List<String> lines = new ArrayList<>(Loading.resource("product.yaml").lines().toList());
    lines.set(line, String.join("", tokens));

    assertSound(Loading.load(String.join("\n", lines)));
  }

  @Provide
  Arbitrary<List<String>> tokens() {
    return Arbitraries.of(
            "\n",
            "\n  ",
            "\n    ",
            ": ",
            "- ",
            "{",
            "}",
            "[",
            "]",
            ", ",
            "? ",
            "&a ",
            "*a",
            "!!x ",
            "'",
            "\"",
            "|",
            ">",
            "#",
            "${A}",
            "${",
            "null",
            "~",
            "-1",
            "1e400",
            "010",
            "yes",
            "60s",
            "10MiB",
            "server",
            "http",
            "redis",
            "url",
            "detect",
            "window",
            "limits",
            "hot_keys",
            "tables",
            "stores",
            "name",
            "rules",
            "when",
            "action",
            "tls",
            "log",
            "domain",
            "---",
            "...",
            "\t",
            "%YAML 1.1\n",
            "\u0085",
            "\u2028",
            "\uD800",
            "a",
            "0.0.0.0:1")
        .list()
        .ofMaxSize(40);
  }

  @Provide
  Arbitrary<Integer> lines() {
    return Arbitraries.integers()
        .between(0, (int) Loading.resource("product.yaml").lines().count() - 1);
  }

  private static void assertSound(LoadResult result) {
    if (result instanceof LoadResult.Invalid invalid) {
      assertThat(invalid.faults()).isNotEmpty();
      assertThat(Loading.faults(result))
          .allMatch(text -> text.chars().noneMatch(Character::isISOControl))
          .allMatch(text -> text.startsWith("heatshield.yaml") || text.startsWith("f"));
    } else {
      Configuration configuration = Loading.valid(result);
      assertThat(configuration.effective()).isNotEmpty();
      assertThat(configuration.changesFrom(configuration)).isEmpty();
    }
  }
}
