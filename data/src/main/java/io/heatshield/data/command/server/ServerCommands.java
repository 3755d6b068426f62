package io.heatshield.data.command.server;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Command;
import io.heatshield.data.command.CommandException;
import io.heatshield.data.command.CommandGroup;
import io.heatshield.data.command.MapReply;
import io.heatshield.data.command.OpenStore;
import io.heatshield.data.command.Replies;
import io.heatshield.data.command.keys.Glob;
import io.heatshield.data.command.keys.KeyCommands;
import io.heatshield.resp.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** The commands about the server and about whole stores. */
public final class ServerCommands {
  private ServerCommands() {}

  public static List<Command> all() {
    var config =
        new CommandGroup("server", "noscript,loading,stale")
            .call("config|get -3 - 2.0.0 Returns settings by patterns.", ServerCommands::configGet)
            .call(
                "config|set -4 - 2.0.0 Is not supported.",
                call -> {
                  throw new CommandException(
                      "ERR settings are changed in heatshield.yaml or by PATCH /api/v1/config");
                });
    var memory =
        new CommandGroup("server")
            .read(
                "memory|usage -3 - 4.0.0 Estimates the memory usage of a key.",
                "2 2 1",
                KeyCommands::usage);
    return new CommandGroup("server")
        .async(
            "dbsize 1 readonly,fast,no_multi 1.0.0 Returns the number of keys in the store.",
            call -> Replies.map(call.store().store().size(), Reply::of))
        .call("time 1 loading,stale,fast 2.6.0 Returns the server's time.", ServerCommands::time)
        .async(
            "info -1 loading,stale,no_multi 1.0.0 Returns information about the server.",
            InfoText::of)
        .async(
            "flushall -1 write,admin,no_multi 1.0.0 Deletes all keys of all stores.",
            call -> flush(call, call.server().stores()))
        .async(
            "flushdb -1 write,admin,no_multi 1.0.0 Deletes all keys of the store.",
            call -> flush(call, List.of(call.store())))
        .container("config -2 - 2.0.0 Shows settings.", config)
        .container("memory -2 - 4.0.0 Shows memory usage.", memory)
        .commands();
  }

  private static Reply time(Call call) {
    Instant now = call.server().clock().instant();
    return Reply.array(
        List.of(
            Reply.bulk(Long.toString(now.getEpochSecond())),
            Reply.bulk(Long.toString(now.getNano() / 1000))));
  }

  private static CompletableFuture<Reply> flush(Call call, List<OpenStore> stores) {
    boolean plain = call.count() == 1;
    if (call.count() > 2 || (!plain && !call.is(1, "async") && !call.is(1, "sync"))) {
      throw new CommandException(CommandException.SYNTAX);
    }
    return stores.stream()
        .map(store -> Replies.map(store.store().clear(), nothing -> Reply.OK))
        .reduce(Replies.OK, Replies::firstError);
  }

  private static Reply configGet(Call call) {
    var found = new MapReply();
    new TreeMap<>(call.server().settings())
        .forEach(
            (name, value) -> {
              if (IntStream.range(2, call.count()).anyMatch(i -> matches(call.lower(i), name))) {
                found.add(name, value);
              }
            });
    return found.build();
  }

  private static boolean matches(String pattern, String name) {
    return Glob.matches(
        pattern.getBytes(StandardCharsets.UTF_8), name.getBytes(StandardCharsets.UTF_8));
  }
}
