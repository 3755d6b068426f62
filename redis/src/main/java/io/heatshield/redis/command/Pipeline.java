package io.heatshield.redis.command;

import io.heatshield.redis.connection.ServerConnection;
import io.heatshield.redis.script.Failure;
import io.heatshield.redis.script.RedisException;
import io.heatshield.redis.script.Script;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Sends the pending commands of a lane as one pipeline and reads their replies. Used by the lane's
 * thread only.
 */
final class Pipeline {
  private static final int MAX_COMMANDS = 512;
  private static final byte[] ONE_KEY = {'1'};
  private static final byte[] LOAD = {'L', 'O', 'A', 'D'};

  private final CommandQueue queue;
  private final Route route;
  private final ClientCounters counters;
  private final List<Command> sent = new ArrayList<>(MAX_COMMANDS);
  private final List<Command> withoutScript = new ArrayList<>();
  private int answered;
  private boolean refusedByServer;

  Pipeline(CommandQueue queue, Route route, ClientCounters counters) {
    this.queue = queue;
    this.route = route;
    this.counters = counters;
  }

  /**
   * Sends a command and those that follow it, and delivers each one's outcome.
   *
   * @return whether the connection may be used again: false if the server is a replica, or does not
   *     permit its user a command
   * @throws RuntimeException if the connection is lost or a reply is malformed; the caller must
   *     then call {@link #fail}
   */
  boolean run(ServerConnection connection, Command first) {
    counters.rounds.increment();
    sent.clear();
    answered = 0;
    refusedByServer = false;
    for (Command next = first; next != null; next = following()) {
      sent.add(next);
      write(connection, next);
    }
    connection.flush();
    readReplies(connection);
    if (!withoutScript.isEmpty()) {
      loadScripts(connection);
    }
    return !refusedByServer;
  }

  /** Fails the commands that were sent and not answered; those without a script did not run. */
  void fail() {
    failWithoutScript(new RedisException(Failure.NO_SCRIPT));
    for (Command command : sent.subList(answered, sent.size())) {
      command.giveUp(Failure.AMBIGUOUS);
    }
  }

  private @Nullable Command following() {
    return sent.size() < MAX_COMMANDS ? queue.take() : null;
  }

  static void write(ServerConnection connection, Command command) {
    byte[][] arguments = command.arguments;
    var words = new byte[3 + arguments.length][];
    words[0] = command.script.digest();
    words[1] = ONE_KEY;
    words[2] = command.key();
    System.arraycopy(arguments, 0, words, 3, arguments.length);
    if (command.asking) {
      connection.sendCommand(Protocol.Command.ASKING);
    }
    connection.sendCommand(Protocol.Command.EVALSHA, words);
  }

  private void readReplies(ServerConnection connection) {
    for (; answered < sent.size(); answered++) {
      Command command = sent.get(answered);
      if (command.asking) {
        connection.read();
      }
      readReply(command, connection);
    }
  }

  /** Loads the scripts that the server does not have, and sends their commands again. */
  private void loadScripts(ServerConnection connection) {
    sent.clear();
    sent.addAll(withoutScript);
    sent.removeIf(Command::isDone);
    withoutScript.clear();
    answered = 0;
    List<Script> scripts = sent.stream().map(command -> command.script).distinct().toList();
    for (Script script : scripts) {
      connection.sendCommand(Protocol.Command.SCRIPT, LOAD, script.source());
    }
    sent.forEach(command -> write(connection, command));
    connection.flush();
    String refusal = "NOSCRIPT";
    for (int i = 0; i < scripts.size(); i++) {
      try {
        connection.read();
        counters.scriptLoads.increment();
      } catch (JedisDataException e) {
        refusal = ServerConnection.errorCode(String.valueOf(e.getMessage()));
      }
    }
    readReplies(connection);
    failWithoutScript(new RedisException(Failure.ofReply(refusal), refusal));
  }

  private void readReply(Command command, ServerConnection connection) {
    Object reply;
    try {
      reply = connection.read();
    } catch (JedisDataException e) {
      onError(command, String.valueOf(e.getMessage()), connection);
      return;
    }
    if (command.acceptsAnyReply()) {
      command.replied(reply);
    } else if (reply instanceof Long count && count >= 0) {
      command.counted(count);
    } else {
      command.fail(Failure.MALFORMED_REPLY);
      throw new IllegalStateException("the reply does not fit the command");
    }
  }

  private void onError(Command command, String reply, ServerConnection connection) {
    String code = ServerConnection.errorCode(reply);
    switch (code) {
      case "NOSCRIPT" -> withoutScript.add(command);
      case "MOVED", "ASK" -> route.redirect(command, reply, connection.peer());
      default -> {
        Failure failure = Failure.ofReply(code);
        refusedByServer |= failure == Failure.READONLY || failure == Failure.NOT_PERMITTED;
        if (refusedByServer || failure == Failure.CLUSTER_DOWN) {
          route.refresh();
        }
        command.failed(new RedisException(failure, code));
      }
    }
  }

  private void failWithoutScript(RedisException reason) {
    withoutScript.forEach(command -> command.failed(reason));
    withoutScript.clear();
  }
}
