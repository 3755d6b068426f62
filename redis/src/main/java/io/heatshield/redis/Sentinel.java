package io.heatshield.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/** One sentinel: the thread that listens to it, and the last thing it said about the master. */
final class Sentinel implements Runnable {
  /*
   * answer, lostAt   written by the listening thread, read by who decides: volatile
   * events           written by the listening thread; the poller only sends pings on it
   *
   * A connection that has subscribed takes no other commands, so a second one asks. Whatever comes
   * on the first, an event or the reply to a ping, is a reason to ask: the poll needs no timer of
   * its own, and silence is a lost connection.
   */
  private static final Logger LOG = LoggerFactory.getLogger(Sentinel.class);
  private static final int SILENCE_MILLIS = 3000;
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final long REMEMBERED_NANOS = TimeUnit.SECONDS.toNanos(30);

  /**
   * Which server is the master.
   *
   * @param epoch the configuration epoch, higher for every fail-over
   */
  record Answer(Address master, long epoch) {}

  private final Address address;
  private final String name;
  private final Settings settings;
  private final Runnable answered;
  private final Thread thread;
  private volatile @Nullable Answer answer;
  private volatile @Nullable Link events;
  private volatile boolean lost;
  private volatile long lostAt;
  private volatile boolean closed;

  /**
   * Creates a sentinel that is not listened to yet.
   *
   * @param name the name of the master
   * @param answered called after every answer
   */
  Sentinel(Address address, String name, Settings settings, Runnable answered) {
    this.address = address;
    this.name = name;
    this.settings = settings;
    this.answered = answered;
    this.thread = new Thread(this, "sentinel " + address);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Returns the last answer, or null if there is none or its sentinel has been lost for long. */
  @Nullable Answer answer() {
    boolean old = lost && settings.ticker().nanos() - lostAt > REMEMBERED_NANOS;
    return old ? null : answer;
  }

  /** Makes the sentinel say something, and so be asked. */
  void poll() {
    Link present = events;
    if (present != null) {
      try {
        present.sendCommand(Protocol.Command.PING);
        present.send();
      } catch (RuntimeException | Error e) {
        present.abort();
      }
    }
  }

  void close() {
    closed = true;
    drop();
    LockSupport.unpark(thread);
  }

  @Override
  public void run() {
    while (!closed) {
      try (Link asking = settings.sentinels().open(address)) {
        listen(asking);
      } catch (RuntimeException | Error e) {
        if (!closed && !lost) {
          LOG.warn("sentinel {} cannot be reached", address);
          lostAt = settings.ticker().nanos();
          lost = true;
        }
      } finally {
        drop();
      }
      if (!closed) {
        LockSupport.parkNanos(this, RETRY_NANOS);
      }
    }
  }

  private void listen(Link asking) {
    Link heard = settings.sentinels().open(address);
    try (heard) {
      heard.setSoTimeout(SILENCE_MILLIS);
      heard.sendCommand(Protocol.Command.SUBSCRIBE, "+switch-master", "+promoted-slave");
      heard.send();
      events = heard;
      while (!closed) {
        heard.next();
        answer = ask(asking);
        lost = false;
        answered.run();
      }
    }
  }

  /** Returns what the sentinel says now, or null if it does not know the master. */
  private @Nullable Answer ask(Link link) {
    link.sendCommand(Protocol.Command.SENTINEL, "GET-MASTER-ADDR-BY-NAME", name);
    link.sendCommand(Protocol.Command.SENTINEL, "MASTER", name);
    link.send();
    Object where = link.next();
    Object details;
    try {
      details = link.next();
    } catch (JedisDataException unknown) {
      return null;
    }
    if (where instanceof List<?> reply
        && reply.size() == 2
        && reply.get(0) instanceof byte[] host
        && reply.get(1) instanceof byte[] port) {
      try {
        return new Answer(Address.ofRedirection(text(host) + ":" + text(port)), epoch(details));
      } catch (IllegalArgumentException e) {
        throw new JedisConnectionException("not the reply of a sentinel");
      }
    }
    return null;
  }

  private static long epoch(@Nullable Object details) {
    if (details instanceof List<?> pairs) {
      for (int i = 0; i + 1 < pairs.size(); i += 2) {
        if (pairs.get(i) instanceof byte[] field
            && text(field).equals("config-epoch")
            && pairs.get(i + 1) instanceof byte[] number) {
          return Long.parseLong(text(number));
        }
      }
    }
    return 0;
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private void drop() {
    Link present = events;
    if (present != null) {
      present.abort();
      events = null;
    }
  }
}
