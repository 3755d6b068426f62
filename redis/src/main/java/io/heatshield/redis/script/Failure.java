package io.heatshield.redis.script;

/** The reasons why a command has no reply; some leave open whether Redis executed it. */
public enum Failure {
  /** The circuit breaker is open: Redis failed, and no probe has succeeded since. */
  BREAKER_OPEN(false, "Redis does not answer or is busy, and the breaker is open"),
  /** The queue of the connection is full. */
  TOO_MANY_PENDING(false, "too many commands wait for Redis"),
  /** The client is closed. */
  CLOSED(false, "the Redis client is closed"),
  /** The time budget ended before a byte of the command was written. */
  NOT_SENT_IN_TIME(false, "the command could not be sent to Redis within its time budget"),
  /** No server is known for the key, or none could be reached. */
  UNREACHABLE(false, "Redis cannot be reached"),
  /** The command was written, at least in part, and no reply arrived. */
  AMBIGUOUS(true, "the command was sent to Redis and no answer came: it may have been executed"),
  /** The reply does not fit the command. */
  MALFORMED_REPLY(true, "Redis sent a reply that does not fit the command"),
  /** Redis is reading its data from disk. */
  LOADING(false, "Redis is loading its data"),
  /** Redis is running a slow script and executes nothing else. */
  BUSY(false, "Redis is busy running a script"),
  /** The server is a replica. */
  READONLY(false, "Redis is a replica that takes no writes"),
  /** Redis is at its memory limit and takes no writes. */
  OUT_OF_MEMORY(false, "Redis is out of memory"),
  /** The cluster has lost slots or its majority. */
  CLUSTER_DOWN(false, "the Redis cluster is down"),
  /** The cluster redirected the command more often than is followed. */
  REDIRECTED_TOO_OFTEN(false, "the Redis cluster redirected the command too often"),
  /** The script was missing right after it was loaded. */
  NO_SCRIPT(false, "Redis does not keep the script"),
  /** User or password are wrong, or do not permit the command. */
  NOT_PERMITTED(false, "Redis does not permit the command to this user"),
  /** Any other error reply; a script that fails may have written before. */
  ERROR_REPLY(true, "Redis answered with an error");

  private final boolean ambiguous;
  private final String sentence;

  Failure(boolean ambiguous, String sentence) {
    this.ambiguous = ambiguous;
    this.sentence = sentence;
  }

  /** Returns whether the command may have been executed. */
  public boolean isAmbiguous() {
    return ambiguous;
  }

  String sentence() {
    return sentence;
  }

  /** Returns the failure that an error code stands for. */
  public static Failure ofReply(String code) {
    return switch (code) {
      case "LOADING", "MASTERDOWN" -> LOADING;
      case "BUSY" -> BUSY;
      case "READONLY" -> READONLY;
      case "OOM", "MISCONF" -> OUT_OF_MEMORY;
      case "CLUSTERDOWN", "TRYAGAIN" -> CLUSTER_DOWN;
      case "MOVED", "ASK" -> REDIRECTED_TOO_OFTEN;
      case "NOSCRIPT" -> NO_SCRIPT;
      case "NOAUTH", "WRONGPASS", "NOPERM" -> NOT_PERMITTED;
      default -> ERROR_REPLY;
    };
  }
}
