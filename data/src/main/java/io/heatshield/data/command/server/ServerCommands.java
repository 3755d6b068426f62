package io.heatshield.data.command.server;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Command;
import io.heatshield.data.command.HelpText;
import io.heatshield.data.command.OpenStore;
import io.heatshield.data.command.Refused;
import io.heatshield.data.command.Stages;
import io.heatshield.data.command.Words;
import io.heatshield.data.command.keys.Glob;
import io.heatshield.data.command.keys.KeyCommands;
import io.heatshield.resp.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** The commands about the server and its stores as wholes. */
public final class ServerCommands {
  private static final long MICROS = 1_000_000;

  private ServerCommands() {}

  public static List<Command> all() {
    return List.of(
        Command.onCall(
            "dbsize 1 readonly,fast,no_multi 0 0 0 server 1.0.0 Returns the number of keys in the"
                + " store.",
            call -> Stages.map(call.store().store().size(), Reply::of)),
        Command.now(
            "time 1 loading,stale,fast 0 0 0 server 2.6.0 Returns the time of the server.",
            ServerCommands::time),
        Command.onCall(
            "info -1 loading,stale,no_multi 0 0 0 server 1.0.0 Describes the server.",
            InfoText::of),
        Command.onCall(
            "flushall -1 write,admin,no_multi 0 0 0 server 1.0.0 Deletes everything in all stores.",
            call -> flush(call, call.realm().stores())),
        Command.onCall(
            "flushdb -1 write,admin,no_multi 0 0 0 server 1.0.0 Deletes everything in the store.",
            call -> flush(call, List.of(call.store()))),
        Command.container(
            "config -2 - 0 0 0 server 2.0.0 Shows settings.",
            null,
            List.of(
                Command.now(
                    "config|get -3 noscript,loading,stale 0 0 0 server 2.0.0 Returns settings by"
                        + " patterns.",
                    ServerCommands::configGet),
                Command.now(
                    "config|set -4 noscript,loading,stale 0 0 0 server 2.0.0 Is refused.",
                    call ->
                        Reply.error(
                            "ERR settings are changed in heatshield.yaml or by PATCH"
                                + " /api/v1/config")),
                HelpText.command("config"))),
        Command.container(
            "memory -2 - 0 0 0 server 4.0.0 Tells about memory.",
            null,
            List.of(
                Command.onKeys(
                    "memory|usage -3 readonly 2 2 1 server 4.0.0 Estimates the bytes that a key"
                        + " takes.",
                    KeyCommands::usage),
                HelpText.command("memory"))));
  }

  private static Reply time(Call call) {
    var now = call.realm().clock().instant();
    long micros = now.getNano() / 1000;
    return Reply.array(
        List.of(
            Reply.bulk(Words.bytes(now.getEpochSecond())),
            Reply.bulk(Words.bytes(micros % MICROS))));
  }

  private static CompletableFuture<Reply> flush(Call call, List<OpenStore> stores) {
    boolean plain = call.count() == 1;
    if (call.count() > 2 || (!plain && !call.is(1, "async") && !call.is(1, "sync"))) {
      throw new Refused(Refused.SYNTAX);
    }
    CompletableFuture<Reply> all = Stages.now(Reply.OK);
    for (OpenStore store : stores) {
      all =
          all.thenCombine(
              Stages.map(store.store().clear(), nothing -> Reply.OK),
              (before, now) -> before.isError() ? before : now);
    }
    return all;
  }

  private static Reply configGet(Call call) {
    Map<String, String> settings = new TreeMap<>(call.realm().settings().get());
    var found = new ArrayList<Reply>();
    settings.forEach(
        (name, value) -> {
          byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
          for (int i = 2; i < call.count(); i++) {
            if (Glob.matches(Words.name(call.word(i)).getBytes(StandardCharsets.UTF_8), bytes)) {
              found.add(Reply.bulk(name));
              found.add(Reply.bulk(value));
              return;
            }
          }
        });
    return Reply.map(found);
  }
}
