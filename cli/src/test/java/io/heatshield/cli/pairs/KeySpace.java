package io.heatshield.cli.pairs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads all keys of a server in every way that a client can. */
final class KeySpace {
  /** The number of reads of each key in one check. */
  static final int COMMANDS_PER_KEY = 3;

  private static final Pattern PAGE = Pattern.compile("\\[\"([0-9]+)\", \\[(.*)]]", Pattern.DOTALL);

  private KeySpace() {}

  /** Checks that a server holds what the model does, and nothing else. */
  static void check(RespClient client, KeyModel model) throws IOException {
    read(client)
        .forEach(
            (key, entry) -> assertThat(entry).as("what %s holds", key).isEqualTo(model.find(key)));
    assertThat(scan(client)).as("the keys of SCAN").isEqualTo(model.keys());
    assertThat(client.call("DBSIZE")).as("DBSIZE").isEqualTo("(" + model.keys().size() + ")");
    List<String> twins = RandomSteps.TWINS;
    assertThat(model.find(twins.get(0))).as("the twins").isEqualTo(model.find(twins.get(1)));
  }

  /** Returns what each key holds. */
  static Map<String, Optional<KeyModel.Entry>> read(RespClient client) throws IOException {
    var found = new LinkedHashMap<String, Optional<KeyModel.Entry>>();
    for (String key : RandomSteps.keys()) {
      client.send(List.of(List.of("GET", key), List.of("TTL", key), List.of("EXISTS", key)));
      String value = client.reply();
      String ttl = client.reply();
      String exists = client.reply();
      assertThat(exists)
          .as("EXISTS %s, whose GET is %s", key, value)
          .isEqualTo(value.equals("nil") ? "(0)" : "(1)");
      assertThat(ttl)
          .as("TTL %s, whose GET is %s", key, value)
          .matches(value.equals("nil") ? "\\(-2\\)" : "\\((-1|[0-9]+)\\)");
      found.put(
          key,
          value.equals("nil")
              ? Optional.empty()
              : Optional.of(
                  new KeyModel.Entry(value.substring(1, value.length() - 1), !ttl.equals("(-1)"))));
    }
    return found;
  }

  private static Set<String> scan(RespClient client) throws IOException {
    var keys = new TreeSet<String>();
    String cursor = "0";
    var seen = new ArrayList<String>();
    do {
      String reply = client.call("SCAN", cursor, "COUNT", "7");
      Matcher page = PAGE.matcher(reply);
      assertThat(page.matches()).as(reply).isTrue();
      for (String key : page.group(2).split(", ", -1)) {
        if (!key.isEmpty()) {
          keys.add(key.replace("\"", ""));
        }
      }
      cursor = page.group(1);
      seen.add(cursor);
      assertThat(seen).as("cursors of one SCAN").hasSizeLessThan(10_000);
    } while (!cursor.equals("0"));
    return keys;
  }
}
