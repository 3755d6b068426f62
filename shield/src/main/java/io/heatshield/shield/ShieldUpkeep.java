package io.heatshield.shield;

import io.heatshield.key.KeyText;
import io.heatshield.redis.RedisUrl;
import io.heatshield.redis.Talk;
import io.heatshield.redis.TalkException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What goes on beside the clients: finds the servers, learns their commands, looks up addresses,
 * throws out what is old.
 *
 * <p>On a thread of its own, because it waits.
 */
final class ShieldUpkeep implements Runnable, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ShieldUpkeep.class);
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration FIND_PATIENCE = Duration.ofSeconds(1);
  private static final Duration FIRST_TRY = Duration.ofSeconds(1);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final int ROUNDS_PER_LOOKUP = 40;

  private final Shield shield;
  private final RedisUrl url;
  private final Runnable known;
  private final Thread thread;
  private final CountDownLatch tried = new CountDownLatch(1);
  private volatile boolean relearn = true;
  private volatile boolean closed;
  private String fault = "";

  ShieldUpkeep(Shield shield, RedisUrl url, Runnable known) {
    this.shield = shield;
    this.url = url;
    this.known = known;
    this.thread = new Thread(this, "shield of " + url);
    thread.setDaemon(true);
  }

  /** Starts, and waits a moment for the upstream's commands. */
  void start() {
    shield.upstreams().start();
    thread.start();
    try {
      if (!tried.await(FIRST_TRY.toNanos(), TimeUnit.NANOSECONDS)) {
        log.warn("{} does not answer yet", url);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The upstream is new to us, and may be another one. */
  void relearn() {
    relearn = true;
  }

  @Override
  public void run() {
    boolean failing = false;
    for (int round = 1; !closed; round++) {
      try {
        once(round % ROUNDS_PER_LOOKUP == 0);
        failing = false;
      } catch (RuntimeException e) {
        if (!closed && !failing) {
          log.error("the upkeep of the shield of {} fails", url, e);
        }
        failing = true;
        relearn = true;
      }
      LockSupport.parkNanos(this, PAUSE_NANOS);
    }
  }

  private void once(boolean lookUp) {
    if (lookUp) {
      shield.upstreams().resolve();
    }
    if (lookUp || shield.upstreams().isDoubted()) {
      shield.upstreams().refresh(FIND_PATIENCE);
    }
    if (relearn) {
      relearn = false;
      learn();
      tried.countDown();
    }
    shield.hotReads().clean();
    shield.absence().judge();
    if (shield.absence().wantsWalk()) {
      walk();
    }
  }

  @Override
  public void close() {
    closed = true;
    shield.upstreams().close();
    LockSupport.unpark(thread);
  }

  private void walk() {
    var talks = new ArrayList<Talk>();
    try {
      for (Upstream server : shield.upstreams().view().servers()) {
        talks.add(Talk.open(server.url(), PATIENCE));
      }
      shield.absence().walk(talks);
    } catch (TalkException e) {
      log.debug("the keys of {} cannot be listed", url);
    } finally {
      talks.forEach(Talk::close);
    }
  }

  private void learn() {
    List<RedisUrl> servers =
        shield.upstreams().view().servers().stream().map(Upstream::url).toList();
    try (Talk talk = Talk.openAny(servers, PATIENCE)) {
      UpstreamTable table = UpstreamTable.of(talk.ask("COMMAND"));
      if (!table.isSame(shield.table())) {
        shield.took(table);
        log.info("learned {} commands from {}", table.commands().size(), url);
      }
      known.run();
      fault = "";
    } catch (TalkException e) {
      relearn = true;
      String why = KeyText.of(String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8));
      if (!why.equals(fault)) {
        log.warn("the commands of {} are not known, so no key is counted: {}", url, why);
      }
      fault = why;
    }
  }
}
