package io.heatshield.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
  private static final int MAX_ROUND = 512;
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long NOT_BUSY = 0;

  private final Endpoint endpoint;
  private final Breaker breaker;
  private final Route route;
  private final Settings settings;
  private final Pending pending;
  private final List<Command> round = new ArrayList<>(MAX_ROUND);
  private final List<Command> unloaded = new ArrayList<>();
  private final Thread flusher;
  private volatile @Nullable Link link;
  private volatile long busySince = NOT_BUSY;
  private volatile boolean suspect;
  private volatile boolean closed;
  private int answered;
  private boolean stale;

  Lane(String name, Endpoint endpoint, Breaker breaker, Route route, Settings settings) {
    this.endpoint = endpoint;
    this.breaker = breaker;
    this.route = route;
    this.settings = settings;
    this.pending = new Pending(settings.maxPending());
    this.flusher = new Thread(this, name);
    flusher.setDaemon(true);
  }

  void start() {
    flusher.start();
  }

  /** Appends a command; false if as many wait as may. */
  boolean offer(Command command) {
    boolean taken = pending.offer(command);
    if (taken && closed) {
      command.giveUp(Failure.CLOSED);
    }
    return taken;
  }

  boolean isConnected() {
    return link != null;
  }

  /** Gives up what is past its deadline, and the connection with it if it hangs; by the timer. */
  long expire(long now, long otherwise) {
    int expired = pending.expire(now);
    if (expired > 0) {
      suspect = true;
      breaker.failed(expired);
    }
    long since = busySince;
    if (since != NOT_BUSY && now - since > settings.patienceNanos()) {
      abort();
    }
    return pending.untilDeadline(now, otherwise);
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

  @Override
  public void run() {
    while (!closed) {
      if (breaker.isOpen()) {
        suspect = true;
        pending.refuse(Failure.BREAKER_OPEN);
        probeOrWait();
      } else if (isReady()) {
        Command first = pending.take();
        if (first == null) {
          idle();
        } else {
          round(first);
        }
      }
    }
    pending.refuse(Failure.CLOSED);
    drop();
  }

  /** Returns whether there is a connection; a suspect one must answer before it is used again. */
  private boolean isReady() {
    if (suspect) {
      suspect = false;
      if (!ping()) {
        drop();
      }
    }
    return link != null || connect();
  }

  private void probeOrWait() {
    if (breaker.tryProbe()) {
      boolean answers = (link != null || connect()) && ping();
      breaker.probed(answers);
      if (answers) {
        LOG.info("{} answers again", flusher.getName());
      } else {
        route.doubt();
      }
    } else {
      pending.await(settings.probeNanos());
    }
  }

  /** Waits for a command; when none comes, makes sure that the connection still lives. */
  private void idle() {
    long start = settings.ticker().nanos();
    pending.await(IDLE_NANOS);
    if (settings.ticker().nanos() - start >= IDLE_NANOS && !ping()) {
      breaker.failed(1);
    }
  }

  private boolean connect() {
    try {
      Link made = settings.data().open(endpoint.find());
      made.setSoTimeout(Access.millis(settings.patienceNanos()));
      link = made;
      settings.tally().connects.increment();
      return true;
    } catch (RuntimeException e) {
      if (!breaker.isOpen()) {
        LOG.warn("{} can not be reached: {}", flusher.getName(), reason(e));
      }
      breaker.trip();
      route.doubt();
      return false;
    }
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

  private void round(Command first) {
    Link present = link;
    round.clear();
    round.add(first);
    answered = 0;
    stale = false;
    begin();
    try {
      if (present == null) {
        throw new IllegalStateException("a round needs a connection");
      }
      write(present, first);
      read(present);
      if (!unloaded.isEmpty()) {
        reload(present);
      }
      breaker.succeeded();
      if (stale) {
        drop();
      }
    } catch (RuntimeException e) {
      drop();
      lost(e);
    } finally {
      busySince = NOT_BUSY;
      settings.tally().rounds.increment();
    }
  }

  private void write(Link present, Command first) {
    present.put(first);
    while (round.size() < MAX_ROUND) {
      Command next = pending.take();
      if (next == null) {
        break;
      }
      round.add(next);
      present.put(next);
    }
    present.send();
  }

  private void read(Link present) {
    for (; answered < round.size(); answered++) {
      Command command = round.get(answered);
      if (command.asking) {
        present.next();
      }
      deliver(command, present);
    }
  }

  /**
   * Loads the scripts that the server did not know, and sends their commands for the first time.
   */
  private void reload(Link present) {
    round.clear();
    round.addAll(unloaded);
    round.removeIf(Command::isDone);
    unloaded.clear();
    answered = 0;
    var scripts = round.stream().map(command -> command.script).distinct().toList();
    scripts.forEach(present::putLoad);
    round.forEach(present::put);
    present.send();
    String refusal = "NOSCRIPT";
    for (int i = 0; i < scripts.size(); i++) {
      try {
        present.next();
        settings.tally().loads.increment();
      } catch (JedisDataException e) {
        refusal = code(String.valueOf(e.getMessage()));
      }
    }
    read(present);
    failUnloaded(new RedisException(Failure.ofReply(refusal), refusal));
  }

  private void failUnloaded(RedisException reason) {
    unloaded.forEach(command -> command.failed(reason));
    unloaded.clear();
  }

  private void deliver(Command command, Link present) {
    Object reply;
    try {
      reply = present.next();
    } catch (JedisDataException e) {
      refused(command, String.valueOf(e.getMessage()));
      return;
    }
    if (reply instanceof Long count && count >= 0) {
      command.counted(count);
    } else {
      command.failed(new RedisException(Failure.MALFORMED_REPLY));
      throw new IllegalStateException("a reply that is none to the command");
    }
  }

  private void refused(Command command, String reply) {
    String code = code(reply);
    switch (code) {
      case "NOSCRIPT" -> unloaded.add(command);
      case "MOVED", "ASK" -> route.redirect(command, reply);
      default -> {
        Failure failure = Failure.ofReply(code);
        stale |= failure == Failure.READONLY || failure == Failure.NOT_PERMITTED;
        if (stale || failure == Failure.CLUSTER_DOWN) {
          route.doubt();
        }
        command.failed(new RedisException(failure, code));
      }
    }
  }

  /** Fails what was sent and not answered; what Redis refused for want of a script was not run. */
  private void lost(RuntimeException cause) {
    LOG.warn("{} was lost: {}", flusher.getName(), reason(cause));
    failUnloaded(new RedisException(Failure.NO_SCRIPT));
    for (Command command : round.subList(answered, round.size())) {
      command.giveUp(Failure.AMBIGUOUS);
    }
    breaker.failed(1);
    route.doubt();
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

  /** Returns the first word of an error if it is one of capitals, which no key or secret is in. */
  private static String code(String reply) {
    int end = reply.indexOf(' ');
    String word = end < 0 ? reply : reply.substring(0, end);
    return word.matches("[A-Z]{1,20}") ? word : "ERR";
  }

  private static String reason(RuntimeException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return cause.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }
}
