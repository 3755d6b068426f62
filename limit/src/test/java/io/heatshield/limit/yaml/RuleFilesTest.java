package io.heatshield.limit.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule files: all faults are reported at once, and hostile files do no harm. */
class RuleFilesTest {
  @TempDir Path folder;

  @Test
  void load_everyFaultOfAFile_isNamedWithItsLine() {
    assertThat(
            faults(
                """
                domain: d
                descriptors:
                  - value: no-key
                  - key: a
                    rate_limit: { unit: fortnight, requests_per_unit: 1 }
                  - key: a
                  - key: b
                    rate_limit:
                      unlimited: true
                      unit: day
                  - key: c
                    rate_limit:
                      unit: day
                      name: me
                      replaces:
                        - name: ""
                        - name: me
                  - key: e
                    value: plain
                    share_threshold: true
                  - key: f
                    ratelimit: {}
                    7: x
                    descriptors:
                      - text
                      - key: g
                        rate_limit: { requests_per_unit: 1 }
                  - key: h
                    rate_limit: { unit: day, requests_per_unit: 1.5 }
                  - key: i
                    rate_limit: { unit: day, requests_per_unit: -1 }
                  - key: j
                    shadow_mode: perhaps
                    algorithm: leaky
                    rate_limit: { unit: day }
                """))
        .containsExactly(
            "x.yaml:3: descriptor has empty key",
            "x.yaml:5: invalid rate limit unit 'fortnight'",
            "x.yaml:6: duplicate descriptor composite key 'd.a'",
            "x.yaml:10: should not specify rate limit unit when unlimited",
            "x.yaml:16: should not have an empty replaces entry",
            "x.yaml:17: replaces should not contain name of same descriptor",
            "x.yaml:20: share_threshold can only be used with wildcard values (containing '*'), but"
                + " found key 'e_plain'",
            "x.yaml:22: config error, unknown key 'ratelimit'",
            "x.yaml:23: config error, key is not of type string: 7",
            "x.yaml:25: config error, yaml file contains list of type other than map: text",
            "x.yaml:27: invalid rate limit unit ''",
            "x.yaml:29: error checking config: 1.5",
            "x.yaml:31: error loading config file: cannot unmarshal `-1` into uint32",
            "x.yaml:33: error loading config file: cannot unmarshal `perhaps` into bool",
            "x.yaml:34: invalid algorithm 'leaky'; it must be fixed_window, sliding_window or"
                + " gcra");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "domain: ''| x.yaml:1: config file cannot have empty domain",
        "descriptors: []| x.yaml:1: config file cannot have empty domain",
        "[]| x.yaml:1: error loading config file: must be a map of keys and values",
        "text| x.yaml:1: error loading config file: must be a map of keys and values",
        "domain: [| x.yaml:1: error loading config file: ",
        "domain: !!str d| x.yaml:1: error loading config file: tags such as !!name are not allowed",
        "domain: *no| x.yaml:1: error loading config file: the alias *no has no anchor before",
        "{domain: d, domain: e}| x.yaml:1: error loading config file: key \"domain\" already set",
      })
  void load_brokenText_isAFault(String yaml, String fault) {
    assertThat(faults(yaml)).singleElement().asString().startsWith(fault.strip());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{domain: d, 0.25: x}| x.yaml:1: config error, key is not of type string: 0.25",
        "{domain: d, <<: 5}| x.yaml:1: error loading config file: map merge requires map or"
            + " sequence of maps as the value",
        "{domain: d, <<: {key: a}, <<: {key: b}}| x.yaml:1: error loading config file: key \"<<\""
            + " already set in map, on line 1",
        "{domain: d, descriptors: [a]}| x.yaml:1: config error, yaml file contains list of type"
            + " other than map: a",
        "{domain: d, descriptors: [{key: k, value: 1.5}]}| x.yaml:1: error checking config: 1.5",
        "{domain: d, descriptors: [{key: k, rate_limit: {unit: unknown}}]}| x.yaml:1: invalid rate"
            + " limit unit 'unknown'",
        "{domain: d, descriptors: [{key: a, descriptors: [{key: b, value: c}, {key: b, value:"
            + " c}]}]}| x.yaml:1: duplicate descriptor composite key 'd.a.b_c'",
        "{domain: d, descriptors: [{key: a_b}, {key: a, value: b}]}| x.yaml:1: duplicate descriptor"
            + " composite key 'd.a_b'",
      })
  void load_smallFaults_haveTheSentencesOfTheEnvoyService(String yaml, String fault) {
    assertThat(faults(yaml)).containsExactly(fault.strip());
  }

  @Test
  void load_everythingTheEnvoyServiceAccepts_isAccepted() {
    assertThat(
            faults(
                """
                ---
                domain: d
                descriptors:
                  - { key: a, value: 5, rate_limit: { unlimited: true, unit: unknown, requests_per_unit: 7 } }
                  - { key: b, value: true, shadow_mode: yes, rate_limit: { unit: Week, requests_per_unit: 0 } }
                  - { key: c, value: "/api*v1", share_threshold: true, rate_limit: { unit: YEAR } }
                  - { key: e, descriptors: }
                """))
        .isEmpty();
  }

  @Test
  void load_mergedMaps_supplyMissingKeys() {
    LoadResult result =
        RuleFiles.load(
            "x.yaml",
            """
            domain: d
            descriptors:
              - key: a
                rate_limit: &base { unit: minute, requests_per_unit: 5 }
              - key: b
                rate_limit: { <<: *base, requests_per_unit: 7 }
              - &shadowed { key: c, shadow_mode: true, rate_limit: *base }
              - { <<: [ { quota_mode: true, key: e }, *shadowed ] }
              - { key: overwritten, <<: { key: f, rate_limit: *base } }
            """
                .getBytes(StandardCharsets.UTF_8));

    assertThat(result).isInstanceOf(LoadResult.Valid.class);
    assertThat(((LoadResult.Valid) result).rules().dump())
        .isEqualTo(
            """
            d.a: unit=MINUTE requests_per_unit=5, shadow_mode: false, quota_mode: false
            d.b: unit=MINUTE requests_per_unit=7, shadow_mode: false, quota_mode: false
            d.c: unit=MINUTE requests_per_unit=5, shadow_mode: true, quota_mode: false
            d.e: unit=MINUTE requests_per_unit=5, shadow_mode: true, quota_mode: true
            d.f: unit=MINUTE requests_per_unit=5, shadow_mode: false, quota_mode: false
            """);
  }

  @Test
  void load_emptyText_hasNoDomain() {
    assertThat(faults("")).containsExactly("x.yaml: config file cannot have empty domain");
    assertThat(faults("# nothing\n"))
        .containsExactly("x.yaml: config file cannot have empty domain");
  }

  @ParameterizedTest
  @ValueSource(strings = {"010", "1e400", "yes", "4294967296", "'5'", "99999999999999999999", "{}"})
  void load_invalidNumber_isAFault(String number) {
    assertThat(faults(limit("unit: day, requests_per_unit: " + number))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "5", "0x10", "1_000", "4294967295"})
  void load_numbersThatGoReads_areRead(String number) {
    assertThat(faults(limit("unit: day, requests_per_unit: " + number))).isEmpty();
  }

  @Test
  void load_gcraBeyondItsRange_isAFault() {
    assertThat(faults(limit("unit: year, requests_per_unit: 4000000000, algorithm: gcra")))
        .containsExactly(
            "x.yaml:4: requests_per_unit must be at most 146235604 where the algorithm is gcra");
  }

  @Test
  void load_hostileText_isRejectedQuicklyAndEscaped() {
    String bomb =
        "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
            + "b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n".repeat(1)
            + "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
            + "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n";

    assertThat(faults(bomb)).singleElement().asString().contains("stands for more than");
    assertThat(faults("[".repeat(10_000))).singleElement().asString().contains("levels deep");
    assertThat(faults("domain: d\n\"\\e[31m\": 1"))
        .singleElement()
        .asString()
        .contains("\\x1b[31m");
    assertThat(faults("domain: d\nd\u0000: x"))
        .containsExactly("x.yaml:2: holds a NUL byte; is this a text file?");
    assertThat(faults("a: &a [*a]")).singleElement().asString().contains("no anchor before");
  }

  @Test
  void load_invalidUtf8_isAFault() {
    assertThat(faults("domain: d".getBytes(StandardCharsets.UTF_16)))
        .containsExactly("x.yaml: is UTF-16 or UTF-32; save it as UTF-8");
    assertThat(faults(new byte[] {'a', '\n', (byte) 0xff, 'b'}))
        .containsExactly("x.yaml:2: is not UTF-8; save it as UTF-8");
    assertThat(faults("\ufeffdomain: d".getBytes(StandardCharsets.UTF_8))).isEmpty();
    assertThat(faults(new byte[(1 << 20) + 1])).singleElement().asString().contains("1 MiB");
  }

  @Test
  void load_folder_readsAllFilesInOrderAndNoHiddenOne() throws IOException {
    write("b.yaml", "domain: two");
    write("a.yaml", "domain: one");
    write(".hidden", "nonsense: [");
    Files.createDirectories(folder.resolve("..2024/deep"));
    write("..2024/real.yaml", "domain: three");
    Files.createSymbolicLink(folder.resolve("c.yaml"), Path.of("..2024/real.yaml"));

    LoadResult result = RuleFiles.load(folder, false);

    assertThat(result).isInstanceOf(LoadResult.Valid.class);
    assertThat(((LoadResult.Valid) result).rules().domains())
        .containsExactlyInAnyOrder("one", "two", "three");
  }

  @Test
  void load_sameDomainTwice_isAFaultUnlessMerged() throws IOException {
    write("a.yaml", "domain: d\ndescriptors: [ { key: a } ]");
    write("b.yaml", "domain: d\ndescriptors: [ { key: b } ]");

    assertThat(faults(RuleFiles.load(folder, false)))
        .singleElement()
        .asString()
        .endsWith("b.yaml:1: duplicate domain 'd' in config file");
    assertThat(faults(RuleFiles.load(folder, true))).isEmpty();
    write("c.yaml", "domain: d\ndescriptors:\n- key: a");
    assertThat(faults(RuleFiles.load(folder, true)))
        .singleElement()
        .asString()
        .endsWith("c.yaml:3: duplicate descriptor composite key 'd.a'");
  }

  @Test
  void load_pipesAndDevices_areRejectedWithoutBeingOpened() throws Exception {
    Path outside = Files.createTempFile("outside", ".yaml");
    Files.createSymbolicLink(folder.resolve("link.yaml"), outside);
    Files.createSymbolicLink(folder.resolve("device.yaml"), Path.of("/dev/zero"));
    Files.createSymbolicLink(folder.resolve("gone.yaml"), Path.of("nowhere"));
    Process made = new ProcessBuilder("mkfifo", folder.resolve("pipe.yaml").toString()).start();
    assumeThat(made.waitFor(10, TimeUnit.SECONDS) && made.exitValue() == 0).isTrue();
    write("large.yaml", "#".repeat((1 << 20) + 1));

    List<String> faults = faults(RuleFiles.load(folder, false));

    Files.delete(outside);
    assertThat(faults)
        .extracting(fault -> fault.substring(folder.toString().length() + 1))
        .containsExactly(
            "device.yaml: is a link that leaves its folder",
            "gone.yaml: there is no such file",
            "large.yaml: is larger than 1 MiB, the most that a rule file may take",
            "link.yaml: is a link that leaves its folder",
            "pipe.yaml: is not a regular file");
    assertThat(faults(RuleFiles.load(Path.of("/dev/zero"), false)))
        .containsExactly("/dev/zero: is not a regular file");
  }

  private static String limit(String fields) {
    return "domain: d\ndescriptors:\n  - key: a\n    rate_limit: { " + fields + " }\n";
  }

  private static List<String> faults(String yaml) {
    return faults(yaml.getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> faults(byte[] text) {
    return faults(RuleFiles.load("x.yaml", text));
  }

  private static List<String> faults(LoadResult result) {
    return result instanceof LoadResult.Invalid invalid
        ? invalid.faults().stream().map(RuleFault::toString).toList()
        : List.of();
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }
}
