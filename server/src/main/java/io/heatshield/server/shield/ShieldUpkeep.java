package io.heatshield.server.shield;

import io.heatshield.key.KeyText;
import io.heatshield.redis.Invalidations;
import io.heatshield.redis.RedisUrl;
import io.heatshield.redis.Talk;
import io.heatshield.redis.TalkException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What goes on beside the clients: hears of changes, learns the upstream's commands, looks up its
 * address, throws out what is old.
 *
 * <p>On a thread of its own, because it waits.
 */
final class ShieldUpkeep implements Tracking, Runnable, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ShieldUpkeep.class);
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration FIRST_TRY = Duration.ofSeconds(1);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final int ROUNDS_PER_LOOKUP = 40;

  private final Shield shield;
  private final RedisUrl url;
  private final Runnable known;
  private final Thread thread;
  private final CountDownLatch tried = new CountDownLatch(1);
  private volatile @Nullable Invalidations changes;
  private volatile boolean relearn = true;
  private volatile boolean wasUp;
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
    changes = Invalidations.open(url, this::changed);
    thread.start();
    try {
      if (!tried.await(FIRST_TRY.toNanos(), TimeUnit.NANOSECONDS)) {
        log.warn("{} does not answer yet", url);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isUp() {
    Invalidations told = changes;
    return told != null && told.isUp();
  }

  @Override
  public boolean wasUp() {
    return wasUp;
  }

  @Override
  public long mark() {
    Invalidations told = changes;
    return told == null ? 0 : told.mark();
  }

  @Override
  public boolean hasPassed(long mark) {
    Invalidations told = changes;
    return told != null && told.hasPassed(mark);
  }

  @Override
  public void run() {
    for (int round = 1; !closed; round++) {
      if (relearn) {
        relearn = false;
        learn();
        tried.countDown();
      }
      if (round % ROUNDS_PER_LOOKUP == 0) {
        shield.upstream().resolve();
      }
      shield.hotReads().clean();
      shield.absence().judge();
      if (shield.absence().wantsWalk()) {
        walk();
      }
      LockSupport.parkNanos(this, PAUSE_NANOS);
    }
  }

  @Override
  public void close() {
    closed = true;
    Invalidations told = changes;
    if (told != null) {
      told.close();
    }
    LockSupport.unpark(thread);
  }

  /** Any key may have changed: the upstream is new to us, and may be another one. */
  private void changed(byte @Nullable [] key) {
    if (key == null) {
      relearn = true;
      wasUp = true;
    }
    shield.changed(key);
  }

  private void walk() {
    try (Talk talk = Talk.open(url, PATIENCE)) {
      shield.absence().walk(talk);
    } catch (TalkException e) {
      log.debug("the keys of {} cannot be listed", url);
    }
  }

  private void learn() {
    try (Talk talk = Talk.open(url, PATIENCE)) {
      UpstreamTable table = UpstreamTable.of(talk.ask("COMMAND"));
      if (!table.isSame(shield.table())) {
        shield.took(table);
        log.info("{} has {} commands", url, table.commands().size());
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
