package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.cli.process.ExitCode;
import io.heatshield.runtime.json.JsonReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayCommandTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @Test
  void replay_traceWithOneHotKey_reportsItAsTextJsonAndPage() throws IOException {
    Path trace = trace();
    Path page = folder.resolve("report.html");

    Invocation text =
        Invocation.of(
            "replay", trace.toString(), "--window=1s", "--threshold=50", "--html=" + page);
    Invocation json =
        Invocation.of("replay", trace.toString(), "--window=1s", "--threshold=50", "--json");

    assertThat(text.code()).isEqualTo(ExitCode.OK);
    assertThat(text.out())
        .contains("keys (guessed), no times: assuming 10,000 requests/s (--rate)")
        .contains("recall     100.00 %: 1 of 1 hot keys found")
        .contains("hot\\x1bkey");
    assertThat(json.code()).isEqualTo(ExitCode.OK);
    assertThat(json.out())
        .startsWith("{\"trace\":")
        .contains("\"recall\":{\"value\":1.000000,\"found\":1,\"n\":1}")
        .contains("\"key\":\"hot\\\\x1bkey\"");
    assertThat(Files.readString(page)).startsWith("<!DOCTYPE html>").contains("<svg");
    assertThat(text.err() + json.err()).isEmpty();
  }

  @Test
  void advise_traceWithHotKeys_writesAConfigurationThatCheckAccepts() throws IOException {
    Path trace = trace();
    Path yaml = folder.resolve("heatshield.yaml");
    Path limits = Files.createDirectory(folder.resolve("limits"));
    Files.writeString(
        limits.resolve("shop.yaml"),
        "domain: shop\ndescriptors: [{key: a, rate_limit: {unit: day, requests_per_unit: 1}}]\n");

    Invocation advise =
        Invocation.of("advise", trace.toString(), "--output=" + yaml, "--limits=" + limits);
    Invocation check = Invocation.of("check", yaml.toString());
    Invocation again = Invocation.of("advise", trace.toString(), "--output=" + yaml);

    assertThat(advise.code()).as(advise.err()).isEqualTo(ExitCode.OK);
    assertThat(advise.out()).contains("recommended: window", "predicted from the first half");
    assertThat(check.code()).as(check.out()).isEqualTo(ExitCode.OK);
    assertThat(Files.readString(yaml)).contains("flush_window", "# predicted");
    assertThat(again.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(again.err()).contains("already exists");
  }

  @Test
  void advise_forPrograms_isOneObject() throws IOException {
    Path trace = trace();

    Invocation advise = Invocation.of("advise", trace.toString(), "--json");

    assertThat(advise.code()).as(advise.err()).isEqualTo(ExitCode.OK);
    assertThat(JsonReader.read(advise.out().getBytes(StandardCharsets.UTF_8)))
        .asInstanceOf(InstanceOfAssertFactories.MAP)
        .containsKeys("recommended", "second_half", "holds", "thresholds_and_windows")
        .extractingByKey("configuration")
        .asString()
        .contains("threshold:");
  }

  @Test
  void advise_nothingHot_exitsWithOne() throws IOException {
    Path trace = Files.write(folder.resolve("once"), List.of("a", "b", "c"));

    Invocation advise = Invocation.of("advise", trace.toString());

    assertThat(advise.code()).isEqualTo(ExitCode.NEGATIVE);
    assertThat(advise.out()).contains("no recommendation");
  }

  @ParameterizedTest
  @ValueSource(strings = {"replay", "advise"})
  void traceCommands_unreadableOrInvalid_nameTheFault(String command) throws IOException {
    Path trace = trace();

    Invocation none = Invocation.of(command, folder.resolve("no\nwhere").toString());
    Invocation isFolder = Invocation.of(command, folder.toString());
    Invocation format = Invocation.of(command, trace.toString(), "--format=xml");
    Invocation rate = Invocation.of(command, trace.toString(), "--rate=0");
    Invocation key = Invocation.of(command, trace.toString(), "--key=nowhere");
    Invocation missing = Invocation.of(command);

    assertThat(none.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(none.err()).contains("no\\x0awhere");
    assertThat(isFolder.err()).contains("is a folder");
    assertThat(format.code()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(format.err()).contains("--format must be one of keys, csv");
    assertThat(rate.code()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(key.code()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(missing.code()).isEqualTo(ExitCode.WRONG_USAGE);
  }

  @Test
  void replay_wrongSettings_namesThem() throws IOException {
    String trace = trace().toString();

    assertThat(Invocation.of("replay", trace, "--window=60").code()).isEqualTo(2);
    assertThat(Invocation.of("replay", trace, "--window=2h").err()).contains("at most 1h");
    assertThat(Invocation.of("replay", trace, "--width=3").err()).contains("width must be");
    assertThat(Invocation.of("replay", trace, "--top=-1").code()).isEqualTo(2);
    assertThat(Invocation.of("replay", trace, "--html=/nowhere/x.html").code()).isEqualTo(3);
  }

  /**
   * Writes two seconds of traffic in which one key has a nasty name and comes in bursts of five.
   */
  private Path trace() throws IOException {
    List<String> lines =
        IntStream.range(0, 20_000)
            .mapToObj(i -> i % 100 < 5 ? "hot\u001bkey" : "key:" + (i * 7919) % 5003)
            .toList();
    return Files.write(folder.resolve("trace.txt"), lines);
  }
}
