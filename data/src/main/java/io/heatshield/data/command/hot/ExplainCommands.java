package io.heatshield.data.command.hot;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Command;
import io.heatshield.data.command.Refused;
import io.heatshield.resp.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** HS.EXPLAIN: what is known about one key, the same as the HTTP API tells. */
public final class ExplainCommands {
  private ExplainCommands() {}

  public static List<Command> all() {
    return List.of(
        Command.now(
            "hs.explain -2 readonly 0 0 0 heatshield 7.0.0 Returns why a key is hot and what to do,"
                + " of the selected store or of a scope.",
            ExplainCommands::explain));
  }

  private static Reply explain(Call call) {
    if (call.count() > 3) {
      throw new Refused(call.command().wrongCount());
    }
    String scope = call.count() == 3 ? call.text(2) : call.store().name();
    return call.realm()
        .explainer()
        .explain(scope, call.word(1))
        .map(ExplainCommands::reply)
        .orElseThrow(() -> new Refused("ERR no such scope"));
  }

  /** Returns a value of which JSON could be made as a reply. */
  private static Reply reply(@Nullable Object value) {
    if (value == null) {
      return Reply.NULL;
    }
    if (value instanceof Map<?, ?> map) {
      var pairs = new ArrayList<Reply>();
      map.forEach(
          (name, field) -> {
            pairs.add(Reply.bulk(String.valueOf(name)));
            pairs.add(reply(field));
          });
      return Reply.map(pairs);
    }
    if (value instanceof List<?> list) {
      return Reply.array(list.stream().map(ExplainCommands::reply).toList());
    }
    if (value instanceof Boolean flag) {
      return Reply.of(flag.booleanValue());
    }
    if (value instanceof Double number) {
      return Reply.of(number.doubleValue());
    }
    if (value instanceof Number number) {
      return Reply.of(number.longValue());
    }
    return Reply.bulk(
        value instanceof Enum<?> constant
            ? constant.name().toLowerCase(Locale.ROOT)
            : value.toString());
  }
}
