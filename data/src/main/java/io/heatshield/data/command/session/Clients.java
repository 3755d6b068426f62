package io.heatshield.data.command.session;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The clients that are connected; their number is bounded by the door. Any thread may call. */
public final class Clients {
  private final Map<Long, Session> sessions = new ConcurrentHashMap<>();
  private final AtomicLong ids = new AtomicLong();
  private final FailedLogins failedLogins = new FailedLogins();

  /** Creates a list without clients. */
  public Clients() {}

  /** Returns a number that no other client has or had. */
  public long nextId() {
    return ids.incrementAndGet();
  }

  /** Takes a client in. */
  public void add(Session session) {
    sessions.put(session.id(), session);
  }

  /** Lets a client go. */
  public void remove(Session session) {
    sessions.remove(session.id());
  }

  /** Returns the clients, in no order. */
  public Collection<Session> all() {
    return sessions.values();
  }

  FailedLogins failedLogins() {
    return failedLogins;
  }

  List<Session> byId() {
    return sessions.values().stream().sorted(Comparator.comparingLong(Session::id)).toList();
  }

  public int size() {
    return sessions.size();
  }
}
