package io.heatshield.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.client.RawResp;
import java.io.ByteArrayOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input to the RESP port, on a real socket. */
class DataPortBadInputTest {
  private DataPortFixture port = DataPortFixture.open();

  @AfterEach
  void close() {
    port.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"*0\r\n", "*-1\r\n", "\r\n"})
  void emptyLines_areIgnored(String nothing) {
    try (RawResp client = port.client()) {
      assertThat(client.sendRaw(nothing + "PING\r\n").reply()).isEqualTo("+PONG\r\n");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*2147483648rn|invalid multibulk length",
        "*1e3rn|invalid multibulk length",
        "*+1rn|invalid multibulk length",
        "*01rn|invalid multibulk length",
        "*1n$4nPINGn|invalid multibulk length",
        "*2147483647rn|multibulk length must be at most 1024",
        "*1rn$-1rn|invalid bulk length",
        "*1rn$-2rn|invalid bulk length",
        "*1rn$536870913rn|invalid bulk length",
        "*1rn$65537rn|bulk length must be at most 65536",
        "*1rn$4rnPINGxx|expected CR LF after a bulk",
        "*1rn*1rn*1rn|expected '$', got '*'",
        "*1rn:1rn|expected '$', got ':'",
        "get \"arn|unbalanced quotes in request"
      })
  void malformed_isOneErrorAndAClose(String sent, String error) {
    String bytes = sent.replace("rn", "\r\n").replace("1n", "1\n").replace("4n", "4\n");
    try (RawResp client = port.client()) {
      client.sendRaw("PING\r\n" + bytes);

      assertThat(client.rest()).isEqualTo("+PONG\r\n-ERR Protocol error: " + error + "\r\n");
    }
    await(() -> port.counters.protocolErrors() == 1);
  }

  @Test
  void nestedArrays_aMillionDeep_areOneErrorAndAClose() {
    try (RawResp client = port.client()) {
      var sender =
          new Thread(
              () -> {
                try {
                  client.sendRaw("*1\r\n".repeat(1_000_000));
                } catch (RuntimeException closed) {
                  // The port closes long before all is sent.
                }
              });
      sender.start();

      assertThat(client.rest()).isEqualTo("-ERR Protocol error: expected '$', got '*'\r\n");
    }
  }

  @Test
  void inline_ofSeventyKilobytes_isAnErrorAndAClose() {
    try (RawResp client = port.client()) {
      assertThat(client.sendRaw("a".repeat(70_000)).rest())
          .isEqualTo("-ERR Protocol error: too big inline request\r\n");
    }
  }

  @Test
  void httpRequest_isClosedWithoutAReply() {
    try (RawResp client = port.client()) {
      assertThat(client.sendRaw("POST / HTTP/1.1\r\nHost: a\r\n\r\nSET a b\r\n").rest()).isEmpty();
    }
    try (RawResp client = port.client()) {
      assertThat(client.call("EXISTS", "a")).isEqualTo(":0\r\n");
    }
  }

  @Test
  void tlsHello_isClosedWithAHint() {
    try (RawResp client = port.client()) {
      assertThat(client.sendRaw("\u0016\u0003\u0001\u0002\u0000\u0001").rest())
          .isEqualTo("-ERR Protocol error: this port does not speak TLS\r\n");
    }
  }

  @Test
  void commandName_withLineBreaks_isEscapedInExactlyOneReply() {
    try (RawResp client = port.client()) {
      assertThat(client.call("GE\r\nT\u0000", "k\r\n"))
          .isEqualTo(
              "-ERR unknown command 'GE\\x0d\\x0aT\\x00', with args beginning with: 'k\\x0d\\x0a'"
                  + " \r\n");
      assertThat(client.call("PING")).isEqualTo("+PONG\r\n");
    }
  }

  @Test
  void incrby_pastTheEnd_isAnErrorAndLeavesTheValue() {
    try (RawResp client = port.client()) {
      client.call("SET", "k", "9223372036854775807");

      assertThat(client.call("INCRBY", "k", "1"))
          .isEqualTo("-ERR increment or decrement would overflow\r\n");
      assertThat(client.call("GET", "k")).isEqualTo("$19\r\n9223372036854775807\r\n");
    }
  }

  @Test
  void values_longerThanAllowed_areRejectedBeforeAllocation() {
    try (RawResp client = port.client()) {
      String error = "-ERR string exceeds maximum allowed size (proto-max-bulk-len)\r\n";
      client.call("SET", "k", "v".repeat(60_000));

      assertThat(client.call("APPEND", "k", "v".repeat(6_000))).isEqualTo(error);
      assertThat(client.call("SETRANGE", "k", "9223372036854775807", "v")).isEqualTo(error);
      assertThat(client.call("SETRANGE", "k", "536870912", "v")).isEqualTo(error);
      assertThat(client.call("STRLEN", "k")).isEqualTo(":60000\r\n");
    }
  }

  @Test
  void fragments_ofEveryByte_giveTheSameReplies() {
    String all =
        "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$3\r\na\r\n\r\nGET k\r\n*2\r\n$4\r\nINCR\r\n$1\r\nk\r\nMULTI\r\nGET k\r\nEXEC\r\nQUIT\r\n";
    String whole;
    try (RawResp client = port.client()) {
      whole = client.sendRaw(all).rest();
    }

    try (RawResp client = port.client()) {
      for (byte b : all.getBytes(StandardCharsets.ISO_8859_1)) {
        client.sendRaw(new byte[] {b});
      }
      assertThat(client.rest()).isEqualTo(whole);
    }
    for (int cut = 1; cut < all.length(); cut++) {
      try (RawResp client = port.client()) {
        assertThat(client.sendRaw(all.substring(0, cut)).sendRaw(all.substring(cut)).rest())
            .isEqualTo(whole);
      }
    }
  }

  @Test
  void dribble_isClosedAtTheReadTimeout() {
    try (RawResp client = port.client();
        RawResp victim = port.client()) {
      client.sendRaw("*1\r\n$4\r\nPI");
      await(() -> port.respPort().heldBytes() > 0);
      port.ticker.advance(Duration.ofSeconds(20));
      port.respPort().sweep();
      client.sendRaw("N");
      assertThat(victim.call("PING")).isEqualTo("+PONG\r\n");
      port.ticker.advance(Duration.ofSeconds(20));
      port.respPort().sweep();

      assertThat(client.rest()).isEmpty();
      assertThat(port.counters.timeouts()).isEqualTo(1);
      assertThat(victim.call("PING")).isEqualTo("+PONG\r\n");
    }
  }

  @Test
  void commands_thatEachArriveInTime_areNotClosed() {
    try (RawResp client = port.client()) {
      for (int i = 0; i < 4; i++) {
        assertThat(client.sendRaw(i == 0 ? "PING\r\nPI" : "NG\r\nPI").reply())
            .isEqualTo("+PONG\r\n");
        await(() -> port.respPort().heldBytes() > 0);
        port.ticker.advance(Duration.ofSeconds(20));
        port.respPort().sweep();
      }

      assertThat(client.sendRaw("NG\r\n").reply()).isEqualTo("+PONG\r\n");
      assertThat(port.counters.timeouts()).isZero();
    }
  }

  @Test
  void idleConnection_isClosedAtTheIdleTimeout_unlessSubscribed() {
    try (RawResp silent = port.client();
        RawResp listener = port.client()) {
      silent.call("PING");
      listener.call("SUBSCRIBE", "__hotkey__");
      port.ticker.advance(Duration.ofMinutes(61));
      port.respPort().sweep();

      assertThat(silent.rest()).isEmpty();
      assertThat(listener.call("PING")).startsWith("*2\r\n$4\r\npong");
    }
  }

  @Test
  void flood_thatNeverReads_isBoundedAndClosed_withoutAffectingOthers() throws Exception {
    port.close();
    port = DataPortFixture.open(DataPortFixture.ADMINS, limits -> limits);
    try (RawResp flood = port.client();
        RawResp victim = port.client()) {
      flood.call("SET", "big", "v".repeat(60_000));
      var sender =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < 1_000_000; i++) {
                    flood.sendRaw("GET big\r\n");
                  }
                } catch (RuntimeException closed) {
                  // The port may close the connection while the client still writes.
                }
              });
      sender.start();
      await(() -> port.respPort().heldBytes() > 1 << 20);
      for (int i = 0; i < 1000; i++) {
        assertThat(victim.call("SET", "k", "v" + i)).isEqualTo("+OK\r\n");
        String value = "v" + i;
        assertThat(victim.call("GET", "k"))
            .isEqualTo("$" + value.length() + "\r\n" + value + "\r\n");
      }
      assertThat(port.respPort().heldBytes()).isLessThan(4 << 20);
      await(
          () -> {
            port.ticker.advance(Duration.ofSeconds(11));
            port.respPort().sweep();
            return port.counters.slowReaders() == 1;
          });
      sender.join();

      await(() -> port.respPort().heldBytes() == 0);
      assertThat(victim.call("PING")).isEqualTo("+PONG\r\n");
    }
  }

  @Test
  void slowReader_thatKeepsReading_getsEverything() {
    try (RawResp client = port.client()) {
      client.call("SET", "big", "v".repeat(60_000));
      var sender = new Thread(() -> client.sendRaw("GET big\r\n".repeat(500) + "QUIT\r\n"));
      sender.start();

      assertThat(client.rest()).hasSize(500 * (60_000 + 10) + 5);
    }
  }

  @Test
  void clients_overTheCap_areRefusedWithAnError() {
    port.close();
    port = DataPortFixture.open(DataPortFixture.ADMINS, limits -> withTotals(limits, 2, 1 << 20));
    try (RawResp one = port.client();
        RawResp two = port.client()) {
      one.call("PING");
      two.call("PING");

      RawResp three = port.client();
      assertThat(three.rest()).isEqualTo("-ERR max number of clients reached\r\n");
      assertThat(port.counters.rejected()).isEqualTo(1);
      three.close();
    }
  }

  @Test
  void memory_ofAllClientsTogether_isBounded() {
    port.close();
    port = DataPortFixture.open(DataPortFixture.ADMINS, limits -> withTotals(limits, 100, 1 << 20));
    var part = new ByteArrayOutputStream();
    part.writeBytes("*1024\r\n".getBytes(StandardCharsets.US_ASCII));
    for (int i = 0; i < 10; i++) {
      part.writeBytes("$60000\r\n".getBytes(StandardCharsets.US_ASCII));
      part.writeBytes(new byte[60_000]);
      part.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
    }
    List<RawResp> clients = List.of(port.client(), port.client(), port.client(), port.client());

    for (RawResp client : clients) {
      try {
        client.sendRaw(part.toByteArray());
      } catch (UncheckedIOException closed) {
        // The port may close the connection while the client still writes.
      }
    }

    await(() -> port.counters.overBudget() >= 2);
    await(() -> port.respPort().heldBytes() <= 1 << 20);
    clients.forEach(RawResp::close);
  }

  @Test
  void wrongPassword_aThousandTimes_isAlwaysTheSame_andDelayed() {
    try (RawResp client = port.client();
        RawResp other = port.client()) {
      for (int i = 0; i < 4; i++) {
        assertThat(client.call("AUTH", "unknown", "x")).startsWith("-WRONGPASS ");
      }
      client.sendRaw("AUTH unknown x\r\n".repeat(1000));
      assertThat(other.call("PING")).isEqualTo("+PONG\r\n");
      assertThat(client.reply()).startsWith("-WRONGPASS ");
    }
  }

  @Test
  void wrongPassword_onManyConnections_isEventuallyRejectedWithoutChecking() {
    List<RawResp> guessers = Stream.generate(port::client).limit(64).toList();
    guessers.forEach(guesser -> guesser.sendRaw("AUTH unknown x\r\n"));

    List<String> answers = guessers.stream().map(RawResp::reply).toList();

    assertThat(answers)
        .allMatch(
            answer ->
                answer.startsWith("-WRONGPASS ")
                    || answer.startsWith("-ERR too many wrong passwords from this address"));
    try (RawResp other = port.client()) {
      assertThat(other.call("HELLO", "3", "AUTH", "default", "x")).startsWith("%7\r\n");
    }
    guessers.forEach(RawResp::close);
  }

  private static void await(BooleanSupplier condition) {
    var never = new CountDownLatch(1);
    boolean met = condition.getAsBoolean();
    for (int i = 0; i < 2000 && !met; i++) {
      try {
        assertThat(never.await(10, TimeUnit.MILLISECONDS)).isFalse();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      met = condition.getAsBoolean();
    }
    assertThat(met).isTrue();
  }

  private static DataLimits withTotals(DataLimits limits, int clients, long held) {
    return new DataLimits(
        clients,
        limits.known(),
        limits.unknown(),
        limits.outputBytes(),
        held,
        limits.readTimeout(),
        limits.stallTimeout(),
        limits.idleTimeout(),
        limits.lingerTimeout());
  }
}
