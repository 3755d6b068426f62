package io.heatshield.redis;

/** Knows which server a command goes to. Any thread may call any method. */
interface Route extends AutoCloseable {

  /** Sends a command on its way, or fails it. */
  void submit(Command command);

  /**
   * Sends a command where a server pointed to, or fails it.
   *
   * @param reply the text of the error, which begins with MOVED or ASK
   * @param by the server that pointed
   */
  void redirect(Command command, String reply, Address by);

  /** Takes note that a server was lost or is not what it was taken for. */
  void doubt();

  /** Takes note that a connection leads to another server than the one before it did. */
  default void moved() {}

  /** Returns whether every server can be asked at present. */
  boolean isUp();

  /** Gives up what is past its deadline, and returns the nanoseconds until the next one. */
  long expire(long now, long otherwise);

  /** Ends all connections and fails what still waits. */
  @Override
  void close();
}
