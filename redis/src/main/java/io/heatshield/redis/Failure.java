package io.heatshield.redis;

/** Why a command has no answer, and whether Redis may have executed it all the same. */
public enum Failure {
  /** The breaker is open: Redis did not answer lately, and a probe has not found it back. */
  BREAKER_OPEN(false, "Redis does not answer or is busy, and the breaker is open"),
  /** As many commands wait as may wait. */
  TOO_MANY_PENDING(false, "too many commands wait for Redis"),
  /** The client is closed. */
  CLOSED(false, "the way to Redis is closed"),
  /** The time budget ended before a byte of the command was written. */
  NOT_SENT_IN_TIME(false, "the command could not be sent to Redis within its time budget"),
  /** No server is known for the key, or none could be reached. */
  UNREACHABLE(false, "Redis can not be reached"),
  /** The command was written, at least in part, and no answer came. */
  AMBIGUOUS(true, "the command was sent to Redis and no answer came: it may have been executed"),
  /** The command was answered with something that is no answer to it. */
  MALFORMED_REPLY(true, "Redis gave an answer that is none to the command"),
  /** Redis reads its data from disk. */
  LOADING(false, "Redis is loading its data"),
  /** Redis runs a script that takes long, and executes nothing else. */
  BUSY(false, "Redis is busy running a script"),
  /** The server is a replica. */
  READONLY(false, "Redis is a replica that takes no writes"),
  /** Redis is at its limit of memory and takes no writes. */
  OUT_OF_MEMORY(false, "Redis is out of memory"),
  /** The cluster has lost slots or its majority. */
  CLUSTER_DOWN(false, "the Redis cluster is down"),
  /** The cluster sent the command round in circles. */
  REDIRECTED_TOO_OFTEN(false, "the Redis cluster redirected the command too often"),
  /** The script was gone again right after it was loaded. */
  NO_SCRIPT(false, "Redis does not keep the script"),
  /** User or password are wrong, or do not permit the command. */
  NOT_PERMITTED(false, "Redis does not permit the command to this user"),
  /** Any other error that Redis named; a script that fails may have written before. */
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

  /** Returns what an error reply means; its first word is the code. */
  static Failure ofReply(String code) {
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
