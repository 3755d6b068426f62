package io.heatshield.data.command.keys;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Command;
import io.heatshield.data.command.CommandException;
import io.heatshield.data.command.CommandGroup;
import io.heatshield.data.command.OpenStore;
import io.heatshield.data.command.Replies;
import io.heatshield.data.command.ValueTypes;
import io.heatshield.resp.Reply;
import io.heatshield.store.engine.ScanPage;
import io.heatshield.store.engine.ScannedKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** SCAN and KEYS, which read a store page by page. */
public final class ScanCommands {
  private static final int USUAL_COUNT = 10;
  private static final int MAX_COUNT = 10_000;
  private static final int PAGE = 1000;
  private static final int MAX_KEYS = 1_000_000;
  private static final long MAX_BYTES = 64L << 20;

  private ScanCommands() {}

  public static List<Command> all() {
    return new CommandGroup("generic")
        .async(
            "scan -2 readonly,no_multi 2.8.0 Returns some keys and a cursor.", ScanCommands::scan)
        .async(
            "keys 2 readonly,no_multi 1.0.0 Returns all keys that match a pattern.",
            ScanCommands::keys)
        .commands();
  }

  private static CompletableFuture<Reply> scan(Call call) {
    long cursor = cursor(call.text(1));
    long count = USUAL_COUNT;
    byte[] pattern = null;
    String type = null;
    for (int i = 2; i < call.count(); i += 2) {
      boolean more = i + 1 < call.count();
      if (more && call.is(i, "count")) {
        count = call.integer(i + 1);
        if (count < 1) {
          throw new CommandException(CommandException.SYNTAX);
        }
      } else if (more && call.is(i, "match")) {
        pattern = call.arg(i + 1);
      } else if (more && call.is(i, "type")) {
        type = call.lower(i + 1);
      } else {
        throw new CommandException(CommandException.SYNTAX);
      }
    }
    var filter = new Filter(pattern, type);
    return Replies.map(
        call.store().store().scan(cursor, (int) Math.min(count, MAX_COUNT)),
        page ->
            Reply.array(
                List.of(
                    Reply.bulk(Long.toUnsignedString(page.cursor())),
                    Reply.array(filter.keys(page)))));
  }

  /** Parses a cursor as strtoul does: a sign is allowed, and an empty text is 0. */
  private static long cursor(String text) {
    if (text.isEmpty()) {
      return 0;
    }
    try {
      return text.charAt(0) == '-' && text.length() > 1
          ? -Long.parseUnsignedLong(text.substring(1))
          : Long.parseUnsignedLong(text);
    } catch (NumberFormatException e) {
      throw new CommandException("ERR invalid cursor");
    }
  }

  private static CompletableFuture<Reply> keys(Call call) {
    var answer = new CompletableFuture<Reply>();
    new KeyWalk(call, answer).page(0);
    return answer;
  }

  /** The keys that a scan returns. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Filter(byte @Nullable [] pattern, @Nullable String type) {

    List<Reply> keys(ScanPage page) {
      var keys = new ArrayList<Reply>();
      for (ScannedKey found : page.keys()) {
        if ((pattern == null || Glob.matches(pattern, found.key()))
            && (type == null || type.equalsIgnoreCase(ValueTypes.name(found.type())))) {
          keys.add(Reply.bulk(found.key()));
        }
      }
      return keys;
    }
  }

  /** Reads all keys; other clients of the event loop are served between two pages. */
  private static final class KeyWalk {
    private final Call call;
    private final OpenStore store;
    private final Filter filter;
    private final CompletableFuture<Reply> answer;
    private final List<Reply> keys = new ArrayList<>();
    private long bytes;

    KeyWalk(Call call, CompletableFuture<Reply> answer) {
      this.call = call;
      this.store = call.store();
      this.filter = new Filter(call.arg(1), null);
      this.answer = answer;
    }

    void page(long cursor) {
      var unused =
          store
              .store()
              .scan(cursor, PAGE)
              .whenComplete(
                  (page, thrown) -> {
                    if (thrown != null) {
                      answer.complete(Replies.failure(thrown));
                    } else {
                      take(page);
                    }
                  });
    }

    private void take(ScanPage page) {
      List<Reply> found = filter.keys(page);
      page.keys().forEach(key -> bytes += key.key().length);
      keys.addAll(found);
      if (keys.size() > MAX_KEYS || bytes > MAX_BYTES) {
        answer.complete(Reply.error("ERR too many keys for KEYS, use SCAN"));
      } else if (page.cursor() == 0) {
        answer.complete(Reply.array(keys));
      } else {
        call.session().peer().later(0, () -> page(page.cursor()));
      }
    }
  }
}
