package io.heatshield.redis;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * One pipeline after another on the connection of a lane: all that waits is written, then every
 * reply is read. Used by the lane's flusher alone.
 */
final class Round {
  private static final int MAX_COMMANDS = 512;

  private final Pending pending;
  private final Route route;
  private final Settings settings;
  private final List<Command> sent = new ArrayList<>(MAX_COMMANDS);
  private final List<Command> unloaded = new ArrayList<>();
  private int answered;
  private boolean stale;

  Round(Pending pending, Route route, Settings settings) {
    this.pending = pending;
    this.route = route;
    this.settings = settings;
  }

  /**
   * Sends a command and those behind it, and tells each what came of it.
   *
   * @throws RuntimeException if the connection is lost or not to be trusted any more; then {@link
   *     #fail} is due
   */
  void run(Link link, Command first) {
    settings.tally().rounds.increment();
    sent.clear();
    answered = 0;
    stale = false;
    for (Command next = first; next != null; next = following()) {
      sent.add(next);
      link.put(next);
    }
    link.send();
    read(link);
    if (!unloaded.isEmpty()) {
      reload(link);
    }
  }

  /** Fails what was sent and not answered; what Redis refused for want of a script was not run. */
  void fail() {
    failUnloaded(new RedisException(Failure.NO_SCRIPT));
    for (Command command : sent.subList(answered, sent.size())) {
      command.giveUp(Failure.AMBIGUOUS);
    }
  }

  /** Returns whether the server is not, or no more, the one to ask. */
  boolean isStale() {
    return stale;
  }

  private @Nullable Command following() {
    return sent.size() < MAX_COMMANDS ? pending.take() : null;
  }

  private void read(Link link) {
    for (; answered < sent.size(); answered++) {
      Command command = sent.get(answered);
      if (command.asking) {
        link.next();
      }
      deliver(command, link);
    }
  }

  /** Loads the scripts that the server did not know, and sends their commands again: none ran. */
  private void reload(Link link) {
    sent.clear();
    sent.addAll(unloaded);
    sent.removeIf(Command::isDone);
    unloaded.clear();
    answered = 0;
    List<Script> scripts = sent.stream().map(command -> command.script).distinct().toList();
    scripts.forEach(link::putLoad);
    sent.forEach(link::put);
    link.send();
    String refusal = "NOSCRIPT";
    for (int i = 0; i < scripts.size(); i++) {
      try {
        link.next();
        settings.tally().loads.increment();
      } catch (JedisDataException e) {
        refusal = code(String.valueOf(e.getMessage()));
      }
    }
    read(link);
    failUnloaded(new RedisException(Failure.ofReply(refusal), refusal));
  }

  private void deliver(Command command, Link link) {
    Object reply;
    try {
      reply = link.next();
    } catch (JedisDataException e) {
      refused(command, String.valueOf(e.getMessage()), link.peer());
      return;
    }
    if (command.takesAnyReply()) {
      command.replied(reply);
    } else if (reply instanceof Long count && count >= 0) {
      command.counted(count);
    } else {
      command.failed(new RedisException(Failure.MALFORMED_REPLY));
      throw new IllegalStateException("a reply that is none to the command");
    }
  }

  private void refused(Command command, String reply, Address by) {
    String code = code(reply);
    switch (code) {
      case "NOSCRIPT" -> unloaded.add(command);
      case "MOVED", "ASK" -> route.redirect(command, reply, by);
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

  private void failUnloaded(RedisException reason) {
    unloaded.forEach(command -> command.failed(reason));
    unloaded.clear();
  }

  /** Returns the first word of an error if it is one of capitals, which no key or secret is in. */
  static String code(String reply) {
    int end = reply.indexOf(' ');
    String word = end < 0 ? reply : reply.substring(0, end);
    return word.matches("[A-Z]{1,20}") ? word : "ERR";
  }
}
