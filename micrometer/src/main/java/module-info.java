/** Binds the statistics of structures and stores to a registry of Micrometer. */
// Micrometer states the name of its module.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module io.heatshield.micrometer {
  requires static org.jspecify;
  requires static io.heatshield.store;
  requires transitive io.heatshield.core;
  requires transitive micrometer.core;

  exports io.heatshield.micrometer;
}
