package io.heatshield.data.command.hot;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Command;
import io.heatshield.data.command.CommandException;
import io.heatshield.data.command.CommandGroup;
import io.heatshield.data.command.MapReply;
import io.heatshield.resp.Reply;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** HS.EXPLAIN, which returns the same explanation of a key as the HTTP API. */
public final class ExplainCommands {
  private ExplainCommands() {}

  public static List<Command> all() {
    return new CommandGroup("heatshield")
        .call(
            "hs.explain -2 readonly 7.0.0 Explains why a key of the store, or of a scope, is hot.",
            ExplainCommands::explain)
        .commands();
  }

  private static Reply explain(Call call) {
    call.checkMaxCount(3);
    String scope = call.count() == 3 ? call.text(2) : call.store().name();
    return call.server()
        .explainer()
        .explain(scope, call.arg(1))
        .map(ExplainCommands::reply)
        .orElseThrow(() -> new CommandException("ERR no such scope"));
  }

  /** Converts a value that can be written as JSON to a reply. */
  private static Reply reply(@Nullable Object value) {
    if (value == null) {
      return Reply.NULL;
    }
    if (value instanceof Map<?, ?> map) {
      var fields = new MapReply();
      map.forEach((name, field) -> fields.add(String.valueOf(name), reply(field)));
      return fields.build();
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
