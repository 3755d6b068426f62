package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.cli.process.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ViewCommandsTest {
  private static final String NASTY = "<b>\u001b[2Jcart\n\u202e";

  @SuppressWarnings("NullAway.Init")
  private LocalServer server;

  private String url = "";

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    server = LocalServer.start(folder, "");
    url = server.url();
    server.heat("cart:42", NASTY);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void hot_twoHotKeys_listsThemEscaped() {
    Invocation hot = Invocation.of("hot", "--url", url, "--scope", "shop");

    assertThat(hot.code()).isEqualTo(ExitCode.OK);
    assertThat(hot.out())
        .startsWith("2 keys are hot.\n")
        .contains("cart:42", "<b>\\x1b[2Jcart\\x0a\\xe2\\x80\\xae")
        .doesNotContain("\u001b", "\u202e");
  }

  @Test
  void hotAndTop_withoutAFleet_showLocalOnly() {
    Invocation hot = Invocation.of("hot", "--fleet", "--url", url);
    Invocation top = Invocation.of("top", "--fleet", "--times", "1", "--url", url);

    assertThat(hot.out()).contains("LOCAL ONLY", "no fleet is configured", "cart:42");
    assertThat(top.out()).contains("LOCAL ONLY", "no fleet is configured", "cart:42");
  }

  @Test
  void explain_hotAndCold_answersByExitCodeToo() {
    Invocation hot = Invocation.of("explain", "cart:42", "--url", url, "--scope", "shop");
    Invocation nasty = Invocation.of("explain", NASTY, "--url", url, "--scope", "shop");
    Invocation cold = Invocation.of("explain", "cold", "--url", url, "--scope", "shop");
    Invocation json = Invocation.of("explain", "cold", "--url", url, "--scope", "shop", "--json");
    Invocation where = Invocation.of("explain", "cold", "--url", url);

    assertThat(hot.code()).isEqualTo(ExitCode.OK);
    assertThat(hot.out())
        .contains("state", "hot", "7,000, ", "baseline", "peak", "not recorded")
        .contains("Keys of this scope are only counted");
    assertThat(nasty.code()).isEqualTo(ExitCode.OK);
    assertThat(nasty.out()).doesNotContain("\u001b");
    assertThat(cold.code()).isEqualTo(ExitCode.NEGATIVE);
    assertThat(json.code()).isEqualTo(ExitCode.NEGATIVE);
    assertThat(json.out()).startsWith("{\"scope\":\"shop\",\"key\":\"cold\"");
    assertThat(where.code()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(where.err()).contains("scope is required: there are 2 scopes");
  }

  @Test
  void explain_unknownKey_reportsTheBound() {
    Invocation unseen = Invocation.of("explain", "nosuchkey", "--url", url, "--scope", "shop");
    Invocation empty = Invocation.of("explain", "nosuchkey", "--url", url, "--scope", "main");

    assertThat(unseen.code()).isEqualTo(ExitCode.NEGATIVE);
    assertThat(unseen.out()).startsWith("nosuchkey in shop: not seen").doesNotContain("key hash");
    assertThat(empty.code()).isEqualTo(ExitCode.NEGATIVE);
    assertThat(empty.out())
        .isEqualToNormalizingNewlines("nosuchkey in main: not seen in this window.\n");
  }

  @Test
  void top_withoutATerminal_printsPlainLinesTheGivenNumberOfTimes() {
    Invocation top = Invocation.of("top", "--url", url, "--times", "1", "--sort", "KEY");
    Invocation filtered = Invocation.of("top", "--url", url, "--times=1", "--filter=cart");

    assertThat(top.out()).contains("2 keys are hot.  by key", "cold");
    assertThat(filtered.out()).contains(", /cart", "cart:42").doesNotContain("cold");
  }

  @Test
  void statsAndSavings_ofAServer_areTables() {
    Invocation stats = Invocation.of("stats", "--url", url);
    Invocation savings = Invocation.of("savings", "--url", url);

    assertThat(stats.out()).contains("scope", "shop", "14,001");
    assertThat(savings.out()).contains("name", "absence", "main", "enforce");
  }

  @Test
  void hot_noServerOrNoSuchScope_cannotRun() {
    Invocation none = Invocation.of("hot", "--url", "http://127.0.0.1:1");
    Invocation scope = Invocation.of("hot", "--url", url, "--scope", "x\u001b");
    Invocation address = Invocation.of("hot", "--url", "no address");

    assertThat(none.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(none.err()).startsWith("heatshield: cannot reach http://127.0.0.1:1");
    assertThat(scope.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(scope.err()).contains("no such scope").doesNotContain("\u001b");
    assertThat(address.code()).isEqualTo(ExitCode.WRONG_USAGE);
  }
}
