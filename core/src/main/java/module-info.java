/**
 * Counts keys in bounded memory: sketch, detector, ring, tables of the worst keys, filters. The
 * exported packages are the API; all other packages may change in any release.
 */
@SuppressWarnings("module") // The named modules are built after this one.
module io.heatshield.core {
  requires static org.jspecify;

  exports io.heatshield.action;
  exports io.heatshield.contest;
  exports io.heatshield.detect;
  exports io.heatshield.filter;
  exports io.heatshield.hash;
  exports io.heatshield.ring;
  exports io.heatshield.settings;
  exports io.heatshield.sketch;
  exports io.heatshield.snapshot;
  exports io.heatshield.time;
  exports io.heatshield.count to
      io.heatshield.store;
  exports io.heatshield.key to
      io.heatshield.limit,
      io.heatshield.store;
  exports io.heatshield.redisbloom to
      io.heatshield.store;
}
