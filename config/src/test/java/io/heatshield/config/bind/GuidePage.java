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
      <!-- Generated from the settings records: do not edit. GuidePageTest says how to generate it. -->
      # Configuration

      This page lists all settings. Heatshield reads one YAML file: `heatshield serve --config heatshield.yaml`. Every setting is
      optional; without a file, the defaults below apply. `heatshield check heatshield.yaml` reports all errors, each with its line.

      ```yaml
      detect: { window: 60s, threshold: 100 }
      ```

      ## Values
      | kind | example | rule |
      |---|---|---|
      | duration | `300us`, `60s`, `1h30m` | always with a unit: `ns`, `us`, `ms`, `s`, `m`, `h`, `d` |
      | size | `10MiB`, `64KB`, `4096` | `KiB` to `TiB` are powers of 1024, `KB` to `TB` of 1000; a number without a unit is bytes |
      | rate | `1/s`, `30/m`, `100/h` | per second, minute or hour |
      | host:port | `127.0.0.1:8080`, `[::1]:0` | IPv6 in brackets; port 0 takes any free port |
      | URL of a Redis | `redis://user:password@host:6379/0` | also `rediss://`, `redis-cluster://a:1,b:2`, `redis-sentinel://a:1,b:2#master`; the last two take `?tls=true` |
      | path | `./state` | relative to the folder in which the server was started |

      Numbers are decimal, without leading zeros. Booleans are `true` or `false`; `yes`, `no`, `on` and `off` are text. YAML tags are
      rejected. A file has at most 1 MiB and 32 levels.

      ## Environment variables in the file
      | syntax | meaning |
      |---|---|
      | `${NAME}` | the variable, which must be set |
      | `${NAME:-default}` | the variable, or the default if it is not set or empty |
      | `$${` | a literal `${` |

      The value of a variable is not expanded again. Inside braces and brackets, quote the whole value: `{ url: "${REDIS}" }`.

      ## Precedence
      In order of increasing precedence: the default, the file, the variables of the Envoy rate-limit service (below), a live change
      through the HTTP API. `GET /api/v1/config` shows every setting with its source; secrets are masked.

      ## Reloading
      The server reads a changed file once two successive polls find the same content. The file takes effect completely or not at all:
      if it has an error, the old configuration stays active and the log has the error. The log lists all changes. Settings marked
      *live* take effect immediately, all others at the next start. Live changes are lost when the file is saved again.

      ## Addresses that other machines can reach
      A port on such an address needs `server.tls`, or for HTTP an `admin_token_file`, or `allow_plaintext: true`; otherwise the server
      does not start. A name other than `localhost` counts as such an address.
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
      doc += " Secret: always masked.";
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
        They override the file, so that a deployment of that service can be moved without changes. An empty variable counts as not set.
        """);
    page.append("`").append(String.join("`, `", EnvoyVariables.MAKE_LIMITS));
    page.append(
        """
        ` create the `limits` section if the file has none (its backend is then redis if `REDIS_URL` is
        set). Without that section, its other variables have no effect, and the log has a warning.

        | variable | sets |
        |---|---|
        """);
    EnvoyTables.TRANSLATED.forEach((name, meaning) -> cells("`" + name + "`", meaning));
    EnvoyVariables.direct()
        .forEach((name, target) -> cells("`" + name + "`", "`" + target.path() + "`"));
    page.append(
        """

        These have no counterpart. The log has a warning if one that matters is set.

        | variable | reason |
        |---|---|
        """);
    EnvoyTables.UNSUPPORTED.forEach((name, reason) -> cells("`" + name + "`", reason));
  }

  private void cells(String... cells) {
    page.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}
