package io.heatshield.data.command.hot;

import io.heatshield.data.command.session.Session;
import io.heatshield.insight.scope.HotEvent;
import io.heatshield.resp.Reply;
import io.heatshield.runtime.json.Json;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The channel {@value #NAME}: a message to every subscriber when a key turns hot and when it has
 * cooled. Any thread may call.
 */
public final class HotChannel {
  /** The channel's name. */
  public static final String NAME = "__hotkey__";

  private final Set<Session> subscribers = ConcurrentHashMap.newKeySet();

  /** Creates a channel without subscribers; their number is bounded by the door. */
  public HotChannel() {}

  /** Sends a message about an event to everyone who subscribed. */
  public void publish(HotEvent event) {
    if (subscribers.isEmpty()) {
      return;
    }
    Reply message =
        Reply.push(
            List.of(
                Reply.bulk("message"), Reply.bulk(NAME), Reply.bulk(Json.write(event.fields()))));
    subscribers.forEach(session -> session.peer().push(message));
  }

  void join(Session session) {
    subscribers.add(session);
  }

  /** Forgets a client. */
  public void leave(Session session) {
    subscribers.remove(session);
  }
}
