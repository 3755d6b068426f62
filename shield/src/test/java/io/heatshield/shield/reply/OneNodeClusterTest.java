package io.heatshield.shield.reply;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OneNodeClusterTest {
  private final OneNodeCluster node = new OneNodeCluster("10.1.2.3", 6380, false);

  @Test
  void slots_areAllAtTheAddressOfTheClientsConnection() {
    String id = id();

    assertThat(answer("cluster|slots", false))
        .isEqualTo(
            "*1\r\n*3\r\n:0\r\n:16383\r\n*4\r\n$8\r\n10.1.2.3\r\n:6380\r\n$40\r\n"
                + id
                + "\r\n*0\r\n");
    assertThat(answer("cluster|slots", true)).endsWith(id + "\r\n%0\r\n");
  }

  @Test
  void nodes_nameOneMasterWithAllSlots() {
    String line = id() + " 10.1.2.3:6380@0 myself,master - 0 0 1 connected 0-16383\n";

    assertThat(answer("cluster|nodes", false))
        .isEqualTo("$" + line.length() + "\r\n" + line + "\r\n");
    assertThat(answer("cluster|nodes", true))
        .isEqualTo("=" + (line.length() + 4) + "\r\ntxt:" + line + "\r\n");
  }

  @Test
  void shards_withAndWithoutTls_nameThePortThatTheClientUses() {
    var secure = new OneNodeCluster("10.1.2.3", 6380, true);

    assertThat(answer("cluster|shards", false))
        .startsWith("*1\r\n*4\r\n$5\r\nslots\r\n*2\r\n:0\r\n:16383\r\n$5\r\nnodes\r\n*1\r\n*14\r\n")
        .contains("\r\n$4\r\nport\r\n:6380\r\n");
    assertThat(answer("cluster|shards", true)).startsWith("*1\r\n%2\r\n").contains("*1\r\n%7\r\n");
    assertThat(text(secure.answer("cluster|shards", 2, false)))
        .contains("\r\n$8\r\ntls-port\r\n:6380\r\n");
  }

  @Test
  void answer_ofAnotherNumberOfWords_isLeftToAServer() {
    assertThat(node.answer("cluster|slots", 3, false)).isNull();
    assertThat(node.answer("readonly", 2, false)).isNull();
    assertThat(text(node.answer("readonly", 1, false))).isEqualTo("+OK\r\n");
  }

  private String id() {
    return answer("cluster|myid", false).substring("$40\r\n".length()).trim();
  }

  private String answer(String name, boolean third) {
    return text(node.answer(name, 2, third));
  }

  private static String text(byte @Nullable [] reply) {
    return new String(Objects.requireNonNull(reply), StandardCharsets.US_ASCII);
  }
}
