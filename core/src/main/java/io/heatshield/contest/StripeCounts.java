package io.heatshield.contest;

/** What happened in a stripe; read and written under its lock. */
final class StripeCounts {
  long touches;
  long contests;
  long expired;
  long replaced;
  long shrunk;
  long lost;
  long vetoed;

  void add(StripeCounts other) {
    touches += other.touches;
    contests += other.contests;
    expired += other.expired;
    replaced += other.replaced;
    shrunk += other.shrunk;
    lost += other.lost;
    vetoed += other.vetoed;
  }
}
