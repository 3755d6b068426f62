package io.heatshield.data.command.session;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The connected clients; the port limits their number. Any thread may call. */
public final class Clients {
  private final Map<Long, Session> sessions = new ConcurrentHashMap<>();
  private final AtomicLong ids = new AtomicLong();
  private final FailedLogins failedLogins = new FailedLogins();

  /** Returns a unique client ID. */
  public long nextId() {
    return ids.incrementAndGet();
  }

  public void add(Session session) {
    sessions.put(session.id(), session);
  }

  public void remove(Session session) {
    sessions.remove(session.id());
  }

  public int size() {
    return sessions.size();
  }

  /** Returns the clients in the order of their IDs. */
  List<Session> byId() {
    return sessions.values().stream().sorted(Comparator.comparingLong(Session::id)).toList();
  }

  FailedLogins failedLogins() {
    return failedLogins;
  }
}
