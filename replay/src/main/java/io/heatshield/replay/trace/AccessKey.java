package io.heatshield.replay.trace;

/** What of an access log's line is the key. */
public enum AccessKey {
  /** The path of the request, without its query. */
  PATH,
  /** The path with its query. */
  URL,
  /** The client's address or name. */
  CLIENT
}
