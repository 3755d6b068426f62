package io.heatshield.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Mode;
import io.heatshield.config.settings.Settings;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bad YAML and bad files. */
class BadFileTest {
  @TempDir Path folder = Path.of("unset");

  @Test
  void load_emptyFileOrCommentsOnly_isTheDefaults() {
    Settings defaults = Loading.valid(new ConfigLoader(Map.of()).load((Path) null)).settings();

    for (String yaml :
        List.of("", "\n", "# nothing\n", "---\n", "null", "{}", "\uFEFF", "\uFEFF# x")) {
      assertThat(Loading.valid(yaml).settings()).as(yaml).isEqualTo(defaults);
    }
  }

  @Test
  void load_byteOrderMark_isSkipped() {
    assertThat(Loading.valid("\uFEFFdetect: { panes: 2 }").settings().detect().panes())
        .isEqualTo(2);
  }

  @Test
  void load_utf16AndUtf32_areFaults() {
    for (String charset : List.of("UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE")) {
      byte[] bytes = "detect: {}".getBytes(Charset.forName(charset));

      assertThat(faults(bytes))
          .as(charset)
          .singleElement()
          .asString()
          .containsAnyOf("is UTF-16 or UTF-32; save it as UTF-8", "holds a NUL byte");
    }
  }

  @Test
  void load_nulAndMalformedUtf8_nameTheLine() {
    byte[] nul = "detect:\n  panes: 2\n\0".getBytes(StandardCharsets.UTF_8);
    byte[] latin = "# fine\n# caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1);

    assertThat(faults(nul)).containsExactly("f:3: holds a NUL byte; is this a text file?");
    assertThat(faults(latin)).containsExactly("f:2: is not UTF-8; save it as UTF-8");
  }

  @Test
  void load_forbiddenControlCharacter_namesTheLine() {
    assertThat(Loading.faults("detect:\n  panes: \u0007 2\n"))
        .containsExactly("heatshield.yaml:2: holds a character that YAML forbids: U+0007");
  }

  @Test
  void load_aliasBomb_isRefusedBeforeItGrows() {
    var yaml = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 30; i++) {
      String alias = "*a" + (i - 1);
      yaml.append("a" + i + ": &a" + i + " [");
      yaml.append((alias + ", ").repeat(9)).append(alias).append("]\n");
    }

    assertThat(Loading.faults(yaml.toString()))
        .singleElement()
        .asString()
        .contains("expands to more than 50000 values");
  }

  @Test
  void load_aliases_repeatTheirAnchors() {
    String yaml =
        """
        stores:
          - { name: a, hot_reads: &reads { mode: off } }
          - { name: b, hot_reads: *reads }
        """;

    assertThat(Loading.valid(yaml).settings().stores())
        .extracting(store -> store.hotReads().mode())
        .containsExactly(Mode.OFF, Mode.OFF);
  }

  @Test
  void load_aliasOfNothingOrOfItself_isAFault() {
    assertThat(Loading.faults("detect: *x"))
        .containsExactly("heatshield.yaml:1: the alias *x has no anchor before it");
    assertThat(Loading.faults("detect: &x { panes: *x }"))
        .containsExactly("heatshield.yaml:1: the alias *x has no anchor before it");
  }

  @Test
  void load_depthOfTenThousand_isOneFault() {
    String flow = "detect: " + "[".repeat(10_000);
    var block = new StringBuilder();
    for (int i = 0; i < 1_000; i++) {
      block.append(" ".repeat(i)).append("a:\n");
    }

    assertThat(Loading.faults(flow))
        .containsExactly("heatshield.yaml:1: is nested more than 32 levels deep");
    assertThat(Loading.faults(block.toString()))
        .containsExactly("heatshield.yaml:34: is nested more than 32 levels deep");
  }

  @Test
  void load_tags_areRefused() {
    String sentence = "heatshield.yaml:1: tags such as !!name are not allowed; remove the tag";

    assertThat(Loading.faults("detect: !!java.net.URL [x]")).containsExactly(sentence);
    assertThat(Loading.faults("detect: { panes: !!int 4 }")).containsExactly(sentence);
    assertThat(Loading.faults("!!str detect: {}")).containsExactly(sentence);
    assertThat(Loading.faults("!x {}")).containsExactly(sentence);
  }

  @Test
  void load_duplicateKey_namesBothLinesAndReadsOn() {
    String yaml = "detect:\n  panes: 2\n  depth: 4\n  panes: 3\nlogg: {}\n";

    assertThat(Loading.faults(yaml))
        .containsExactly(
            "heatshield.yaml:4: panes: is given twice, on line 2 and on line 4; keep one of them",
            "heatshield.yaml:5: logg: unknown key; did you mean log?");
  }

  @Test
  void load_brokenSyntax_namesTheLine() {
    assertThat(Loading.faults("detect:\n\tpanes: 2\n"))
        .singleElement()
        .asString()
        .startsWith("heatshield.yaml:2: is not valid YAML: ");
    assertThat(Loading.faults("a: b: c")).singleElement().asString().contains(":1: is not valid");
    assertThat(Loading.faults("detect: { panes: ${P} }"))
        .singleElement()
        .asString()
        .endsWith("; inside braces and brackets ${NAME} needs quotes");
  }

  @Test
  void load_secondDocumentOrNoMapping_isAFault() {
    assertThat(Loading.faults("detect: {}\n---\ndetect: {}\n"))
        .containsExactly("heatshield.yaml:2: a second document begins here; remove the line ---");
    assertThat(Loading.faults("- detect"))
        .containsExactly("heatshield.yaml:1: must be a section of keys and values");
    assertThat(Loading.faults("? [a]\n: b\n"))
        .containsExactly("heatshield.yaml:1: a key must be a plain name");
  }

  @Test
  void load_rateLimitFile_isRecognised() {
    assertThat(Loading.faults("domain: mongo_cps\ndescriptors:\n  - key: database\n"))
        .containsExactly(
            "heatshield.yaml:1: domain: this is an Envoy rate-limit file and not a configuration; name"
                + " its folder in limits.config");
  }

  @Test
  void load_fileOf100Megabytes_isRefusedByItsSize() throws IOException {
    Path file = folder.resolve("huge.yaml");
    try (var channel = new RandomAccessFile(file.toFile(), "rw")) {
      channel.setLength(100_000_000);
    }

    assertThat(faults(file))
        .containsExactly(file + ": is larger than 1 MiB, the most that a configuration may take");
  }

  @Test
  void load_missingFileOrFolder_isAFault() {
    Path none = folder.resolve("none.yaml");

    assertThat(faults(none)).containsExactly(none + ": there is no such file");
    assertThat(faults(folder)).containsExactly(folder + ": is a folder, not a file");
  }

  @Test
  @Timeout(60)
  void load_pipeOrDevice_isRefusedWithoutOpeningIt() throws Exception {
    Path pipe = folder.resolve("pipe");
    Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
    assertThat(made.waitFor()).isZero();

    assertThat(faults(pipe)).containsExactly(pipe + ": is a pipe or a device, not a regular file");
    assertThat(faults(Path.of("/dev/zero")))
        .containsExactly("/dev/zero: is a pipe or a device, not a regular file");
  }

  @Test
  void load_unreadableFile_isAFault() throws IOException {
    Path file = Files.writeString(folder.resolve("closed.yaml"), "detect: {}");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));

    List<String> found = faults(file);

    // The superuser reads everything.
    List<String> closed = List.of(file + ": cannot be read by this user");
    assertThat(found).isEqualTo(Files.isReadable(file) ? List.of() : closed);
  }

  private static List<String> faults(byte[] bytes) {
    return Loading.faults(new ConfigLoader(Map.of()).load("f", bytes));
  }

  private static List<String> faults(Path file) {
    return Loading.faults(new ConfigLoader(Map.of()).load(file));
  }
}
