package io.heatshield.ring;

/** The keys of a scope other than a ring's own. */
final class RingScope extends KeyCounts {

  RingScope(KeyTable table, byte scope) {
    super(table, scope);
  }
}
