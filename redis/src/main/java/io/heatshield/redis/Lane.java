package io.heatshield.redis;

import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * One connection to a server, its queue, and the flusher: the thread that owns both.
 *
 * <p>The flusher writes all that waits as one pipeline, reads the replies, and begins again; so
 * commands share round trips and none waits for company. Any thread may offer.
 */
final class Lane implements Runnable {
  /*
   * link, busySince   written by the flusher, read by the timer: volatile
   * suspect           set by both, cleared by the flusher before it asks the server
   *
   * The timer ends the connection of a round that takes too long. It may catch the round after, whose
   * commands then fail as ambiguous: an early end, never a wrong answer. See ADR 23.
   */
  private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long NOT_BUSY = 0;

  private final Endpoint endpoint;
  private final Breaker breaker;
  private final Route route;
  private final Settings settings;
  private final Pending pending;
  private final Round round;
  private final Thread flusher;
  private volatile @Nullable Link link;
  private volatile long busySince = NOT_BUSY;
  private volatile boolean suspect;
  private @Nullable Address lastPeer;
  private volatile boolean closed;

  Lane(String name, Endpoint endpoint, Breaker breaker, Route route, Settings settings) {
    this.endpoint = endpoint;
    this.breaker = breaker;
    this.route = route;
    this.settings = settings;
    this.pending = new Pending(settings.maxPending());
    this.round = new Round(pending, route, settings);
    this.flusher = new Thread(this, name);
    flusher.setDaemon(true);
    endpoint.onSwitch(this::leave);
  }

  void start() {
    flusher.start();
  }

  /** Appends a command; false if as many wait as may. */
  boolean offer(Command command) {
    boolean taken = pending.offer(command);
    if (taken) {
      pending.wake();
    }
    if (taken && closed) {
      command.giveUp(Failure.CLOSED);
    }
    return taken;
  }

  /** Returns whether the flusher has ended and nothing waits any more. */
  boolean isQuiet() {
    return !flusher.isAlive() && pending.size() == 0;
  }

  boolean isConnected() {
    return link != null;
  }

  /** Gives up what is past its deadline, and the connection with it if it hangs; by the timer. */
  long expire(long now, long otherwise) {
    if (pending.expire(now) > 0) {
      suspect = true;
      breaker.failed();
    }
    long since = busySince;
    if (since != NOT_BUSY && now - since > settings.patienceNanos()) {
      abort();
    }
    return pending.untilDeadline(now, otherwise);
  }

  /** Ends a connection to another server than the master, and lets the flusher connect again. */
  private void leave(Address master) {
    Link present = link;
    if (present != null && !present.peer().equals(master)) {
      present.abort();
      pending.wake();
    }
  }

  /** Ends the flusher; what waits is given up by {@link #abandon}. */
  void close() {
    closed = true;
    pending.wake();
  }

  /** Waits for the end of the flusher, which a round in progress may put off for a budget. */
  void abandon() {
    boolean interrupted = false;
    while (flusher.isAlive()) {
      try {
        flusher.join(Access.millis(settings.budgetNanos()));
        abort();
      } catch (InterruptedException e) {
        interrupted = true;
        abort();
      }
    }
    pending.abandon();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Goes on whatever happens: a flusher that ended would leave its commands, and its server's
   * breaker, to nobody.
   */
  @Override
  public void run() {
    @Nullable Throwable fault = null;
    while (!closed) {
      try {
        if (fault != null) {
          Throwable last = fault;
          fault = null;
          recover(last);
        }
        turn();
      } catch (RuntimeException | Error e) {
        fault = e;
      }
    }
    pending.refuse(Failure.CLOSED);
    drop();
  }

  private void turn() {
    if (breaker.isOpen()) {
      suspect = true;
      pending.refuse(Failure.BREAKER_OPEN);
      probeOrWait();
      return;
    }
    Link ready = ready();
    Command first = ready == null ? null : pending.take();
    if (ready != null && first != null) {
      round(ready, first);
    } else if (ready != null) {
      idle();
    }
  }

  private void recover(Throwable fault) {
    pending.await(settings.probeNanos());
    drop();
    round.fail();
    breaker.failed();
    LOG.error("{} failed and begins again", flusher.getName(), fault);
  }

  /** Returns the connection, if one can be made; a suspect one must answer before it is used. */
  private @Nullable Link ready() {
    if (suspect) {
      suspect = false;
      if (!ping() || !named()) {
        drop();
      }
    }
    Link present = link;
    if (present != null && present.hasUnasked()) {
      LOG.warn("{} was told what it did not ask for, or is closed", flusher.getName());
      drop();
    }
    return link != null || connect() ? link : null;
  }

  private void probeOrWait() {
    if (breaker.tryProbe()) {
      boolean answers = false;
      try {
        answers = (link != null || connect()) && ping();
      } finally {
        breaker.probed(answers);
      }
      if (answers) {
        LOG.info("{} answers again", flusher.getName());
      } else {
        route.doubt();
      }
    } else {
      pending.await(settings.probeNanos());
    }
  }

  /** Names a connection that was made while the server was busy. */
  private boolean named() {
    try {
      Link present = link;
      if (present != null) {
        present.nameAgain();
      }
      return present != null;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** Waits for a command; when none comes, makes sure that the connection still lives. */
  private void idle() {
    long start = settings.ticker().nanos();
    pending.await(IDLE_NANOS);
    if (settings.ticker().nanos() - start >= IDLE_NANOS && !ping()) {
      breaker.failed();
    }
  }

  /** Connects, and returns whether the server executes commands. */
  private boolean connect() {
    Link made = null;
    try {
      made = settings.data().open(endpoint.find());
      boolean busy = isBusy(made);
      if (!busy) {
        endpoint.verify(made);
      }
      keep(made);
      if (busy) {
        // The breaker's probes ask again on this connection.
        unusable("is busy");
      }
      return !busy;
    } catch (RuntimeException e) {
      if (made != null) {
        made.abort();
      }
      link = null;
      unusable("can not be reached: " + reason(e));
      return false;
    }
  }

  /** Returns whether the server answers, but executes no command now. */
  private static boolean isBusy(Link made) {
    try {
      made.ping();
      return false;
    } catch (JedisDataException e) {
      if (Link.isBusy(e)) {
        return true;
      }
      throw e;
    }
  }

  /** Takes a connection into use, unless the master has changed while it was made. */
  private void keep(Link made) {
    made.setSoTimeout(Access.millis(settings.patienceNanos()));
    if (lastPeer != null && !lastPeer.equals(made.peer())) {
      route.moved();
    }
    lastPeer = made.peer();
    link = made;
    if (!endpoint.find().equals(made.peer())) {
      throw new JedisConnectionException("the master has changed");
    }
    settings.tally().connects.increment();
  }

  private void unusable(String why) {
    if (!breaker.isOpen()) {
      LOG.warn("{} {}", flusher.getName(), why);
    }
    breaker.trip();
    route.doubt();
  }

  /** Returns whether the server answers, and within the time that a command would have. */
  private boolean ping() {
    Link present = link;
    if (present == null) {
      return false;
    }
    long start = begin();
    try {
      return present.ping() && settings.ticker().nanos() - start <= settings.budgetNanos();
    } catch (JedisDataException e) {
      return false;
    } catch (RuntimeException e) {
      drop();
      return false;
    } finally {
      busySince = NOT_BUSY;
    }
  }

  private void round(Link present, Command first) {
    begin();
    try {
      round.run(present, first);
      breaker.succeeded();
      if (round.isStale()) {
        drop();
      }
    } catch (RuntimeException e) {
      drop();
      LOG.warn("{} was lost: {}", flusher.getName(), reason(e));
      round.fail();
      breaker.failed();
      route.doubt();
    } finally {
      busySince = NOT_BUSY;
    }
  }

  private long begin() {
    long now = settings.ticker().nanos();
    busySince = now == NOT_BUSY ? 1 : now;
    return now;
  }

  private void abort() {
    Link present = link;
    if (present != null) {
      present.abort();
    }
  }

  private void drop() {
    abort();
    link = null;
  }

  private static String reason(RuntimeException e) {
    if (Link.isBusy(e)) {
      return "it answers " + Round.code(String.valueOf(e.getMessage()));
    }
    Throwable cause = e.getCause() == null ? e : e.getCause();
    if (cause instanceof SocketTimeoutException) {
      return "no answer in time";
    }
    if (cause instanceof ReplicaException) {
      return "it is a replica";
    }
    return cause instanceof SocketException && cause.getMessage() != null
        ? cause.getMessage().toLowerCase(Locale.ROOT)
        : cause.getClass().getSimpleName();
  }
}
