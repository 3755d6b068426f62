package io.heatshield.insight.explain;

/** The kind of a scope, which determines the protections that its keys can have. */
public enum ScopeKind {
  /** A store of this server. */
  STORE,
  /** The shield in front of a Redis. */
  SHIELD,
  /** A rate-limit domain. */
  LIMITS,
  /** Keys are only counted; this server does not access their store. */
  COUNTED
}
