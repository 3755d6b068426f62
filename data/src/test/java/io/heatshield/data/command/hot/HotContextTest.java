package io.heatshield.data.command.hot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.data.command.Command;
import io.heatshield.data.command.CommandTable;
import io.heatshield.data.command.Commands;
import io.heatshield.data.command.session.NoPeer;
import io.heatshield.data.command.session.Session;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.detect.HotKeyDetectorBuilder;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.testkit.time.FakeTicker;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class HotContextTest {
  private static final byte[] KEY = "burning".getBytes(StandardCharsets.UTF_8);

  private final HashSecret secret = HashSecret.of(new byte[32]);
  private final KeyHash hash = KeyHash.fast(secret);
  private final FakeTicker ticker = new FakeTicker();
  private final CommandTable table = Commands.table();
  private final HotContexts contexts =
      contexts(HotKeyDetector.builder().window(Duration.ofSeconds(1)).threshold(1));

  @Test
  void touch_ofAHotKey_recordsCommandsBytesAndClients() {
    for (int client = 0; client < 300; client++) {
      use("get", session(client), 1);
    }
    Session busy = session(1000);
    busy.name("importer");
    use("set", busy, 800);

    HotContext context = contexts.find(KEY).orElseThrow();

    assertThat(context.commands())
        .containsExactly(
            new HotContext.Share("set", 800, true), new HotContext.Share("get", 300, false));
    assertThat(context.bytes()).isEqualTo(1100 * 10);
    assertThat(context.clients())
        .hasSize(16)
        .first()
        .satisfies(
            share -> {
              assertThat(share.name()).isEqualTo("importer@10.0.3.232");
              assertThat(share.uses()).isBetween(600L, 1000L);
            });
    assertThat(context.distinctClients()).isBetween(270L, 330L);
    assertThat(context.firstHotMillis()).isEqualTo(1234);
    assertThat(context.peakRate()).isPositive();
  }

  @Test
  void clients_ofFewUses_areNotOverestimated() {
    use("get", session(1), 3);

    HotContext context = contexts.find(KEY).orElseThrow();

    assertThat(context.clients()).hasSize(1);
    assertThat(context.clients().get(0).uses()).isLessThanOrEqualTo(3);
  }

  @Test
  void commands_twoOfOneName_areAddedUp() {
    Command other = Objects.requireNonNull(Commands.table().find("get"));
    use("get", session(1), 3);

    contexts.touch(session(1).caller(), other, hash.hash(KEY), KEY, 10);

    assertThat(other).isNotSameAs(command("get"));
    assertThat(contexts.find(KEY).orElseThrow().commands())
        .containsExactly(new HotContext.Share("get", 4, false));
  }

  @Test
  void touch_ofCoolKeys_recordsNothing() {
    HotContexts cool = contexts(HotKeyDetector.builder().threshold(1000));

    cool.touch(session(1).caller(), command("get"), cool.hash().hash(KEY), KEY, 10);

    assertThat(cool.find(KEY)).isEmpty();
  }

  @Test
  void touch_withAHashOfAnotherSecret_isRefusedWhereAssertionsAreOn() {
    long foreign = KeyHash.fast(HashSecret.random()).hash(KEY);

    assertThatThrownBy(() -> contexts.touch(session(1).caller(), command("get"), foreign, KEY, 10))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("hash function of the detector");
  }

  @Test
  void touch_ofMoreHotKeysThanAllowed_staysBounded_andAdmitsNewOnesAfterAMinute() {
    for (int i = 0; i < 10_000; i++) {
      contexts.touch(session(1).caller(), command("get"), contexts.hash().hash(key(i)), key(i), 10);
    }
    long kept = kept(0, 10_000);
    ticker.advance(Duration.ofMinutes(2));
    contexts.touch(session(1).caller(), command("get"), contexts.hash().hash(KEY), KEY, 10);

    assertThat(kept).isPositive().isLessThanOrEqualTo(HotContexts.SLOTS);
    assertThat(contexts.find(KEY)).isPresent();
  }

  private HotContexts contexts(HotKeyDetectorBuilder detector) {
    return new HotContexts(
        detector.secret(secret).ticker(ticker::nanos).build(),
        Clock.fixed(Instant.ofEpochMilli(1234), ZoneOffset.UTC),
        ticker::nanos);
  }

  private long kept(int from, int to) {
    long kept = 0;
    for (int i = from; i < to; i++) {
      kept += contexts.find(key(i)).isPresent() ? 1 : 0;
    }
    return kept;
  }

  private static byte[] key(int i) {
    return ("key:" + i).getBytes(StandardCharsets.UTF_8);
  }

  private void use(String command, Session session, int times) {
    for (int i = 0; i < times; i++) {
      contexts.touch(session.caller(), command(command), contexts.hash().hash(KEY), KEY, 10);
    }
  }

  private Command command(String name) {
    return Objects.requireNonNull(table.find(name));
  }

  @SuppressWarnings("NullAway") // The store of a session plays no part here.
  private static Session session(int client) {
    String host = "10.0." + client / 256 + "." + client % 256 + ":5000";
    return new Session(client, new NoPeer(), host, host, null, 0);
  }
}
