package io.heatshield.replay.trace;

/** The part of an access log line that is the key. */
public enum AccessKey {
  /** The path of the request without the query string. */
  PATH,
  /** The path with the query string. */
  URL,
  /** The client's address or host name. */
  CLIENT
}
