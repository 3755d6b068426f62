package io.heatshield.data.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandTableTest {
  private final CommandTable table = Commands.table();

  @Test
  void find_ofEveryName_inAnyCase_isThatCommand() {
    for (Command command : table.all()) {
      String name = command.name();
      String mixed = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);

      assertThat(find(name)).isSameAs(command);
      assertThat(find(name.toUpperCase(Locale.ROOT))).isSameAs(command);
      assertThat(find(mixed)).isSameAs(command);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "g",
        "ge",
        "gets",
        "\0get",
        "get\0",
        "\0",
        "GET\u0131",
        "unlin\u212a",
        "xxxxxxx",
        "incrbyfloatt",
        "expireat\0",
        "client|list"
      })
  void find_ofAnUnknownName_isNull(String name) {
    assertThat(find(name)).isNull();
  }

  @Test
  void find_ofALongWord_isNothing() {
    assertThat(table.find(new byte[1 << 20])).isNull();
  }

  private @Nullable Command find(String name) {
    return table.find(name.getBytes(StandardCharsets.UTF_8));
  }
}
