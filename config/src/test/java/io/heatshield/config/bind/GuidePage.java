package io.heatshield.config.bind;

import io.heatshield.config.env.EnvoyVariables;
import io.heatshield.config.settings.Setting;
import io.heatshield.config.settings.Settings;
import io.heatshield.config.yaml.Node;
import java.util.ArrayList;
import java.util.List;

/** Writes {@code docs/guide/configuration.md} from the records that describe the settings. */
final class GuidePage {
  private static final String INTRODUCTION =
      """
      <!-- Generated from the settings records: do not edit. GuidePageTest says how to write it anew. -->
      # Configuration

      Heatshield reads one YAML file: `heatshield serve --config heatshield.yaml`. Every key is optional; without a file the
      defaults below hold. `heatshield check heatshield.yaml` reports every fault at once, each with its line.

      ## How values are written
      | kind | example | rule |
      |---|---|---|
      | duration | `300us`, `60s`, `1h30m` | always with a unit: `ns`, `us`, `ms`, `s`, `m`, `h`, `d` |
      | size | `10MiB`, `64KB`, `4096` | `KiB` to `TiB` count by 1024, `KB` to `TB` by 1000; a bare number is bytes |
      | rate | `1/s`, `30/m`, `100/h` | per second, minute or hour |
      | host:port | `127.0.0.1:8080`, `[::1]:0` | IPv6 in brackets; port 0 takes any free port |
      | URL of a Redis | `redis://user:password@host:6379/0` | also `rediss://`, `redis-cluster://a:1,b:2`, `redis-sentinel://a:1,b:2#master`; the last two take `?tls=true` |
      | path | `./state` | relative to the folder in which the server was started |

      Numbers are decimal, without leading zeros. Truth is `true` or `false`; `yes`, `no`, `on` and `off` are text. Tags are
      refused. A file may take 1 MiB and nest 32 levels.

      ## Variables in the file
      `${NAME}` stands for a variable of the environment and must be set; `${NAME:-default}` falls back when it is not set or
      empty; `$${` is a literal `${`. What a variable holds is not expanded again. Inside braces and brackets the whole value
      stands in quotes: `{ url: "${REDIS}" }`.

      ## What wins
      The default, then the file, then the variables of the Envoy rate-limit service (below), then a live change through the
      HTTP API. `GET /api/v1/config` shows every setting with its origin, secrets masked.

      ## Saving the file
      A saved file is read once two looks in a row find the same content, and takes effect whole or not at all: with a fault,
      the old configuration stays and the log says why. The log lists what changed. Settings marked *live* take effect at once,
      all others at the next start. Live changes do not outlast the next save.

      ## Addresses that other machines can reach
      A port on such an address needs `server.tls`, or for HTTP an `admin_token_file`, or the line `allow_plaintext: true`;
      otherwise the server does not start. A name other than `localhost` counts as reachable.
      """;

  private final StringBuilder page = new StringBuilder(INTRODUCTION);

  private GuidePage() {}

  static String text() {
    var guide = new GuidePage();
    guide.page.append("\n## Settings\n");
    guide.section(Section.of(Settings.class), "");
    guide.variables();
    return guide.page.toString();
  }

  private void section(Section section, String path) {
    List<Field> nested = section.fields().stream().filter(Field::isSection).toList();
    if (nested.size() < section.fields().size()) {
      page.append(
          "| key | kind | default | bounds | live | meaning |\n|---|---|---|---|---|---|\n");
    }
    for (Field field : section.fields()) {
      if (!field.isSection()) {
        row(field);
      }
    }
    for (Field field : nested) {
      String at = (path.isEmpty() ? "" : path + ".") + field.key() + (field.list() ? "[]" : "");
      page.append("\n### `")
          .append(at)
          .append("`\n")
          .append(field.setting().doc())
          .append(otherNames(field));
      page.append(" Default: ").append(defaultOf(field)).append(".\n\n");
      section(field.section(), at);
    }
  }

  private void row(Field field) {
    Setting setting = field.setting();
    String doc = setting.doc() + otherNames(field);
    if (setting.secret()) {
      doc += " A secret: masked wherever it is shown.";
    }
    String kind = Kind.of(field.type()).expected();
    cells(
        "`" + field.key() + "`",
        field.list() ? "list of " + kind : kind,
        defaultOf(field),
        bounds(setting),
        setting.live() ? "yes" : "",
        doc);
  }

  private static String otherNames(Field field) {
    String names = String.join("`, `", field.setting().aliases());
    return names.isEmpty() ? "" : " Other name: `" + names + "`.";
  }

  private static String defaultOf(Field field) {
    String value =
        field.initial() instanceof Node.Scalar scalar && scalar.plain()
            ? scalar.text()
            : field.setting().value();
    if (field.isRequired()) {
      return "must be given";
    }
    if (field.isSection() && value.startsWith("{")) {
      return "as below";
    }
    return switch (value) {
      case "null" -> "absent";
      case "''" -> "empty";
      default -> "`" + value + "`";
    };
  }

  private static String bounds(Setting setting) {
    var bounds = new ArrayList<String>();
    add(bounds, "at least ", setting.min());
    add(bounds, "above ", setting.above());
    add(bounds, "at most ", setting.max());
    add(bounds, "below ", setting.below());
    return String.join(", ", bounds);
  }

  private static void add(List<String> bounds, String word, String bound) {
    if (!bound.isEmpty()) {
      bounds.add(word + bound);
    }
  }

  private void variables() {
    page.append(
        """

        ## Variables of the Envoy rate-limit service
        They override the file, so that a deployment of that service moves over unchanged. An empty variable counts as not set.
        """);
    page.append("`").append(String.join("`, `", EnvoyVariables.MAKE_LIMITS));
    page.append(
        """
        ` make the `limits` section if the file has none (its backend is then redis if `REDIS_URL` is
        set); any other variable of that section has no effect without it, and a warning says so.

        | variable | sets |
        |---|---|
        """);
    EnvoyTables.TRANSLATED.forEach((name, meaning) -> cells("`" + name + "`", meaning));
    EnvoyVariables.direct()
        .forEach((name, target) -> cells("`" + name + "`", "`" + target.path() + "`"));
    page.append(
        """

        These have no counterpart. Those that a deployment would miss give a warning when they are set.

        | variable | because |
        |---|---|
        """);
    EnvoyTables.UNSUPPORTED.forEach((name, reason) -> cells("`" + name + "`", reason));
  }

  private void cells(String... cells) {
    page.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}
