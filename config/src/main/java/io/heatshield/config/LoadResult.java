package io.heatshield.config;

import io.heatshield.config.yaml.Fault;
import java.util.List;

/** The result of loading a configuration: the configuration, or all its faults. */
public sealed interface LoadResult {

  /** Returns the warnings, which are not faults. */
  List<Fault> warnings();

  /** A configuration without a fault. */
  record Valid(Configuration configuration, List<Fault> warnings) implements LoadResult {}

  /** All faults, in the order of the file. */
  record Invalid(List<Fault> faults, List<Fault> warnings) implements LoadResult {}
}
