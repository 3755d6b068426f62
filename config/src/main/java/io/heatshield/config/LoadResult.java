package io.heatshield.config;

import io.heatshield.config.yaml.Fault;
import java.util.List;

/** What came of reading a configuration: all of it, or every reason why not. */
public sealed interface LoadResult {

  /** Returns what is not wrong but worth knowing. */
  List<Fault> warnings();

  /** A configuration without a fault. */
  record Valid(Configuration configuration, List<Fault> warnings) implements LoadResult {}

  /** Every fault, in the order of the file. */
  record Invalid(List<Fault> faults, List<Fault> warnings) implements LoadResult {}
}
