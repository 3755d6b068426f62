package io.heatshield.redis.command;

import io.heatshield.redis.connection.Endpoint;
import io.heatshield.redis.connection.ServerConnection;
import io.heatshield.redis.script.Failure;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of the parallel connections to a server, with its queue and its thread.
 *
 * <p>The thread sends all pending commands as one pipeline, reads the replies, and starts again. So
 * commands share round trips, and no command waits for others to arrive.
 */
final class Lane {
  private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Breaker breaker;
  private final Route route;
  private final ClientSettings settings;
  private final CommandQueue queue;
  private final Pipeline pipeline;
  private final Connector connector;
  private final Thread thread;
  private volatile boolean closed;

  Lane(String name, Endpoint endpoint, Breaker breaker, Route route, ClientSettings settings) {
    this.breaker = breaker;
    this.route = route;
    this.settings = settings;
    this.queue = new CommandQueue(ClientSettings.MAX_PENDING);
    this.pipeline = new Pipeline(queue, route, settings.counters());
    this.connector = new Connector(name, endpoint, breaker, route, settings);
    this.thread = new Thread(this::run, name);
    thread.setDaemon(true);
    endpoint.onSwitch(
        master -> {
          if (connector.abortUnlessTo(master)) {
            queue.wake();
          }
        });
  }

  void start() {
    thread.start();
  }

  /** Appends a command; false if the queue is full. Any thread may call this. */
  boolean offer(Command command) {
    boolean added = queue.offer(command);
    if (added) {
      queue.wake();
    }
    if (added && closed) {
      command.giveUp(Failure.CLOSED);
    }
    return added;
  }

  /** Returns whether the thread has ended and no command is pending. */
  boolean isTerminated() {
    return !thread.isAlive() && queue.size() == 0;
  }

  boolean isConnected() {
    return connector.isConnected();
  }

  /** Fails the commands past their deadline and closes a connection that hangs; for the timer. */
  long expire(long now, long mostNanos) {
    if (queue.expire(now) > 0) {
      connector.suspect();
      breaker.failed();
    }
    connector.abortIfStuck(now);
    return queue.untilDeadline(now, mostNanos);
  }

  /** Ends the thread; {@link #awaitClosed} fails the pending commands. */
  void close() {
    closed = true;
    queue.wake();
  }

  /** Waits for the end of the thread, which a pipeline in progress may delay for a budget. */
  void awaitClosed() {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join(ClientSettings.millis(settings.budgetNanos()));
      } catch (InterruptedException e) {
        interrupted = true;
      }
      connector.abort();
    }
    queue.failAll();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Survives any exception: otherwise its commands and its server's probes would stop. */
  private void run() {
    @Nullable Throwable fault = null;
    while (!closed) {
      try {
        if (fault != null) {
          Throwable last = fault;
          fault = null;
          recover(last);
        }
        runOnce();
      } catch (RuntimeException | Error e) {
        fault = e;
      }
    }
    queue.refuse(Failure.CLOSED);
    connector.drop();
  }

  private void runOnce() {
    if (breaker.isOpen()) {
      connector.suspect();
      queue.refuse(Failure.BREAKER_OPEN);
      probeOrWait();
      return;
    }
    ServerConnection connection = connector.connection();
    if (connection == null) {
      return;
    }
    Command first = queue.take();
    if (first != null) {
      send(connection, first);
    } else {
      awaitCommand();
    }
  }

  private void recover(Throwable fault) {
    queue.await(ClientSettings.RETRY_NANOS);
    connector.drop();
    pipeline.fail();
    breaker.failed();
    LOG.error("{}: unexpected error, reconnecting", thread.getName(), fault);
  }

  private void probeOrWait() {
    if (!breaker.tryProbe()) {
      queue.await(ClientSettings.RETRY_NANOS);
      return;
    }
    boolean answers = false;
    try {
      answers = connector.probe();
    } finally {
      breaker.probed(answers);
    }
    if (answers) {
      LOG.info("{}: the server answers again", thread.getName());
    } else {
      route.refresh();
    }
  }

  /** Waits for a command; after a second without one, checks that the connection is alive. */
  private void awaitCommand() {
    long start = System.nanoTime();
    queue.await(IDLE_NANOS);
    if (System.nanoTime() - start >= IDLE_NANOS && !connector.ping()) {
      breaker.failed();
    }
  }

  private void send(ServerConnection connection, Command first) {
    connector.callStarted();
    try {
      boolean usable = pipeline.run(connection, first);
      breaker.succeeded();
      if (!usable) {
        connector.drop();
      }
    } catch (RuntimeException e) {
      connector.onLost(e);
      pipeline.fail();
      breaker.failed();
      route.refresh();
    } finally {
      connector.callEnded();
    }
  }
}
