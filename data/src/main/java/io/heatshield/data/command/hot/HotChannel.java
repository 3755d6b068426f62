package io.heatshield.data.command.hot;

import io.heatshield.data.command.session.Session;
import io.heatshield.insight.scope.HotEvent;
import io.heatshield.resp.Reply;
import io.heatshield.runtime.json.Json;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The channel {@value #NAME}, which reports keys that turn hot or cool. The port limits the number
 * of subscribers. Any thread may call.
 */
public final class HotChannel {
  public static final String NAME = "__hotkey__";

  private final Set<Session> subscribers = ConcurrentHashMap.newKeySet();

  /** Sends an event to all subscribers. */
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

  public void leave(Session session) {
    subscribers.remove(session);
  }
}
